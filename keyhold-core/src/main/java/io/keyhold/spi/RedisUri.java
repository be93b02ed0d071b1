package io.keyhold.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a Redis server is and how to talk to it, read from text such as
 * {@code redis://user:password@host:6379/0?commandTimeout=500ms}.
 *
 * <p>Schemes: {@code redis} (TCP), {@code rediss} (TLS), {@code redis-socket} (Unix domain socket,
 * {@code redis-socket:///run/redis.sock}). Special characters in user, password and parameters are percent-encoded.
 *
 * <table>
 * <caption>Parameters</caption>
 * <tr><th>name</th><th>meaning</th><th>default</th></tr>
 * <tr><td>driver</td><td>the driver's name</td><td>Jedis if present</td></tr>
 * <tr><td>clientName</td><td>shown by CLIENT LIST and in tokens</td><td>keyhold</td></tr>
 * <tr><td>connectTimeout</td><td>such as 500ms, 2s</td><td>2s</td></tr>
 * <tr><td>commandTimeout</td><td>such as 500ms, 2s</td><td>2s</td></tr>
 * <tr><td>maxConnections</td><td>the most that a pooling driver opens for requests; as many more for releases, and a
 * few for renewals, are opened only while they are needed</td><td>64</td></tr>
 * <tr><td>db</td><td>database number, for redis-socket</td><td>0</td></tr>
 * <tr><td>trustStore, trustStorePassword</td><td>for rediss: a key store file (PKCS12 or JKS) with the certificates
 * to trust</td><td>the JVM's</td></tr>
 * <tr><td>verifyHostname</td><td>for rediss: whether the certificate must name the host</td><td>true</td></tr>
 * </table>
 */
public final class RedisUri {

    private final RedisUriParser parsed;
    private final @Nullable String clientName;

    private RedisUri(RedisUriParser parsed, @Nullable String clientName) {
        this.parsed = parsed;
        this.clientName = clientName;
    }

    /**
     * Parses a URI.
     *
     * @param uri the text
     * @return the URI
     * @throws IllegalArgumentException if it is not one; the message shows it without its password
     */
    public static RedisUri parse(String uri) {
        RedisUriParser parsed = new RedisUriParser(Objects.requireNonNull(uri, "uri must not be null"));
        return new RedisUri(parsed, parsed.clientName);
    }

    /**
     * Returns the same server under another client name.
     *
     * @param name shown by {@code CLIENT LIST}
     * @return the URI with this name
     */
    public RedisUri withClientName(String name) {
        return new RedisUri(parsed, Objects.requireNonNull(name, "name must not be null"));
    }

    /** {@return the host's name or address, without the brackets of an IPv6 address; empty for a Unix socket} */
    public String host() {
        return parsed.host;
    }

    /** {@return the TCP port; 0 for a Unix socket} */
    public int port() {
        return parsed.port;
    }

    /** {@return the Unix domain socket, if this is a {@code redis-socket} URI} */
    public Optional<Path> socket() {
        return Optional.ofNullable(parsed.socket);
    }

    /** {@return whether the connection is encrypted: {@code rediss}} */
    public boolean tls() {
        return parsed.tls;
    }

    /** {@return the certificates to trust, if they are not the JVM's} */
    public Optional<Path> trustStore() {
        return Optional.ofNullable(parsed.trustStore);
    }

    /** {@return the password of the trust store, if it has one} */
    public Optional<String> trustStorePassword() {
        return Optional.ofNullable(parsed.trustStorePassword);
    }

    /** {@return whether the server's certificate must name the host} */
    public boolean verifyHostname() {
        return parsed.verifyHostname;
    }

    /** {@return the ACL user, if one is named} */
    public Optional<String> user() {
        return Optional.ofNullable(parsed.user);
    }

    /** {@return the password, if there is one} */
    public Optional<String> password() {
        return Optional.ofNullable(parsed.password);
    }

    /** {@return the number of the database} */
    public int database() {
        return parsed.database;
    }

    /** {@return the name under which connections are opened, if one was given} */
    public Optional<String> clientName() {
        return Optional.ofNullable(clientName);
    }

    /** {@return the name of the driver that the URI asks for, if it does} */
    public Optional<String> driver() {
        return Optional.ofNullable(parsed.driver);
    }

    /** {@return how long opening a connection may take} */
    public Duration connectTimeout() {
        return parsed.connectTimeout;
    }

    /** {@return how long a reply may take} */
    public Duration commandTimeout() {
        return parsed.commandTimeout;
    }

    /** {@return the limit of connections that a pooling driver opens for requests, and again for releases} */
    public int maxConnections() {
        return parsed.maxConnections;
    }

    /** {@return host and port, or the socket's path: what messages name} */
    public String address() {
        return parsed.socket != null ? parsed.socket.toString() : parsed.host + ":" + parsed.port;
    }

    /** {@return the address, without user and password} */
    @Override
    public String toString() {
        return address();
    }
}
