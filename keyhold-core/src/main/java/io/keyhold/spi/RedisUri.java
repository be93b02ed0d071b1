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
     * Reads a URI.
     *
     * @throws IllegalArgumentException if it is not one; the message shows it without its password
     */
    public static RedisUri parse(String uri) {
        if (uri == null) {
            throw new IllegalArgumentException("uri must not be null");
        }
        RedisUriParser parsed = new RedisUriParser(uri);
        return new RedisUri(parsed, parsed.clientName);
    }

    /** The same server under another client name. */
    public RedisUri withClientName(String name) {
        return new RedisUri(parsed, Objects.requireNonNull(name, "name"));
    }

    /** The host's name or address, without the brackets of an IPv6 address; empty for a Unix socket. */
    public String host() {
        return parsed.host;
    }

    /** The TCP port; 0 for a Unix socket. */
    public int port() {
        return parsed.port;
    }

    /** The Unix domain socket, if this is a {@code redis-socket} URI. */
    public Optional<Path> socket() {
        return Optional.ofNullable(parsed.socket);
    }

    /** Whether the connection is encrypted: {@code rediss}. */
    public boolean tls() {
        return parsed.tls;
    }

    /** The certificates to trust, if they are not the JVM's. */
    public Optional<Path> trustStore() {
        return Optional.ofNullable(parsed.trustStore);
    }

    /** The password of the trust store, if it has one. */
    public Optional<String> trustStorePassword() {
        return Optional.ofNullable(parsed.trustStorePassword);
    }

    /** Whether the server's certificate has to name the host. */
    public boolean verifyHostname() {
        return parsed.verifyHostname;
    }

    /** The ACL user, if one is named. */
    public Optional<String> user() {
        return Optional.ofNullable(parsed.user);
    }

    /** The password, if there is one. */
    public Optional<String> password() {
        return Optional.ofNullable(parsed.password);
    }

    /** The database's number. */
    public int database() {
        return parsed.database;
    }

    /** The name under which connections are opened, if one was given. */
    public Optional<String> clientName() {
        return Optional.ofNullable(clientName);
    }

    /** The name of the driver that the URI asks for, if it does. */
    public Optional<String> driver() {
        return Optional.ofNullable(parsed.driver);
    }

    /** How long opening a connection may take. */
    public Duration connectTimeout() {
        return parsed.connectTimeout;
    }

    /** How long a reply may take. */
    public Duration commandTimeout() {
        return parsed.commandTimeout;
    }

    /** The most connections that a pooling driver opens for requests, and for releases: each of the two has as many. */
    public int maxConnections() {
        return parsed.maxConnections;
    }

    /** Host and port, or the socket's path: what messages name. */
    public String address() {
        return parsed.socket != null ? parsed.socket.toString() : parsed.host + ":" + parsed.port;
    }

    /** The address, without user and password. */
    @Override
    public String toString() {
        return address();
    }
}
