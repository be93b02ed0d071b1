package io.keyhold.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is and how to talk to it, read from text such as
 * {@code redis://user:password@host:6379/0?commandTimeout=500ms}.
 *
 * <table>
 * <caption>Schemes</caption>
 * <tr><th>scheme</th><th>names</th><th>default port</th></tr>
 * <tr><td>redis</td><td>one server</td><td>6379</td></tr>
 * <tr><td>redis-sentinel</td><td>sentinels, and with {@code ?master=name} the master that they monitor:
 * {@code redis-sentinel://user:password@s1:26379,s2:26379/0?master=name}</td><td>26379</td></tr>
 * <tr><td>redis-cluster</td><td>some nodes of a cluster: {@code redis-cluster://a:7000,b:7000}</td><td>6379</td></tr>
 * <tr><td>rediss, rediss-sentinel, rediss-cluster</td><td>the same, with TLS</td><td>as above</td></tr>
 * <tr><td>redis-socket</td><td>a Unix domain socket: {@code redis-socket:///run/redis.sock}</td><td></td></tr>
 * </table>
 *
 * <p>Each may be written with {@code valkey} in place of {@code redis}. Special characters in user, password and parameters are percent-encoded.
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
 * <tr><td>master</td><td>for sentinels: the name under which they monitor the master</td><td>required</td></tr>
 * <tr><td>sentinelUser, sentinelPassword</td><td>the credentials for the sentinels themselves</td><td>none</td></tr>
 * <tr><td>caFile</td><td>for TLS: a PEM file with the certificates of the authorities to trust</td><td>the JVM's</td></tr>
 * <tr><td>certFile, keyFile</td><td>for TLS: PEM files with the client's certificate and its private key (PKCS #8)</td><td>the JVM's</td></tr>
 * <tr><td>trustStore, trustStorePassword</td><td>instead of caFile: a key store file (PKCS12 or JKS)</td><td></td></tr>
 * <tr><td>keyStore, keyStorePassword</td><td>instead of certFile and keyFile: a key store file (PKCS12 or JKS)</td><td></td></tr>
 * <tr><td>verifyHostname</td><td>for TLS: whether the certificate must name the host</td><td>true</td></tr>
 * </table>
 */
public final class RedisUri {

    /** What the addresses of a URI are. */
    public enum Topology {
        /** One server. */
        SINGLE,
        /** Sentinels, which know the master. */
        SENTINEL,
        /** Nodes of a cluster, which know the others. */
        CLUSTER
    }

    private final RedisUriParser parsed;
    private final @Nullable String clientName;
    private final @Nullable Supplier<Credentials> supplier;

    private RedisUri(RedisUriParser parsed, @Nullable String clientName, @Nullable Supplier<Credentials> supplier) {
        this.parsed = parsed;
        this.clientName = clientName;
        this.supplier = supplier;
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
        return new RedisUri(parsed, parsed.text("clientName"), null);
    }

    /**
     * Returns the same server under another client name.
     *
     * @param name shown by {@code CLIENT LIST}
     * @return the URI with this name
     */
    public RedisUri withClientName(String name) {
        return new RedisUri(parsed, Objects.requireNonNull(name, "name must not be null"), supplier);
    }

    /**
     * Returns the same server with credentials that change, such as tokens. Each new connection to a server asks for them; those to
     * sentinels do not.
     *
     * @param credentials returns what holds at the moment; may be called by several threads at the same time
     * @return the URI with these credentials
     * @throws IllegalArgumentException if the URI has a password itself
     */
    public RedisUri withCredentials(Supplier<Credentials> credentials) {
        Objects.requireNonNull(credentials, "credentials must not be null");
        if (parsed.password != null) {
            throw new IllegalArgumentException(
                    "the URI of " + address() + " has a password, and so have the credentials; remove one of them");
        }
        return new RedisUri(parsed, clientName, credentials);
    }

    /**
     * Returns the URI of one server of the topology that this one names: with its credentials, database and parameters.
     *
     * @param server where the server is
     * @return the URI of that server alone
     */
    public RedisUri forServer(RedisAddress server) {
        return new RedisUri(
                parsed.server(Objects.requireNonNull(server, "server must not be null")), clientName, supplier);
    }

    /**
     * Returns the URI of one sentinel: with the credentials for sentinels, and the other parameters of this URI.
     *
     * @param sentinel where the sentinel is
     * @return the URI of that sentinel alone
     */
    public RedisUri forSentinel(RedisAddress sentinel) {
        return new RedisUri(
                parsed.sentinel(Objects.requireNonNull(sentinel, "sentinel must not be null")), clientName, null);
    }

    /** {@return what the addresses are: one server, sentinels, or nodes of a cluster} */
    public Topology topology() {
        return parsed.topology;
    }

    /** {@return the addresses in the order of the URI: the server, sentinels, or nodes of a cluster; empty for a Unix socket} */
    public List<RedisAddress> addresses() {
        return parsed.addresses;
    }

    /**
     * Checks that this URI names one server. A driver that does not support sentinels and clusters calls this first.
     *
     * @throws IllegalArgumentException if it names sentinels or a cluster
     */
    public void requireSingleServer() {
        if (parsed.topology != Topology.SINGLE) {
            String what = parsed.topology == Topology.SENTINEL ? "Redis Sentinel" : "Redis Cluster";
            throw new IllegalArgumentException(what + " (" + address()
                    + ") is not supported by this driver; use the URI of one server, such as redis://host:6379");
        }
    }

    /**
     * Returns the host's name or address, without the brackets of an IPv6 address.
     *
     * @return the host; empty for a Unix socket
     * @throws IllegalArgumentException if the URI names sentinels or a cluster, which have several {@link #addresses()}
     */
    public String host() {
        requireSingleServer();
        return parsed.addresses.isEmpty() ? "" : parsed.addresses.get(0).host();
    }

    /**
     * Returns the TCP port.
     *
     * @return the port; 0 for a Unix socket
     * @throws IllegalArgumentException if the URI names sentinels or a cluster, which have several {@link #addresses()}
     */
    public int port() {
        requireSingleServer();
        return parsed.addresses.isEmpty() ? 0 : parsed.addresses.get(0).port();
    }

    /** {@return the name under which the sentinels monitor the master, if this URI names sentinels} */
    public Optional<String> masterName() {
        return Optional.ofNullable(parsed.text("master"));
    }

    /** {@return the Unix domain socket, if this is a {@code redis-socket} URI} */
    public Optional<Path> socket() {
        return Optional.ofNullable(parsed.socket);
    }

    /** {@return whether connections are encrypted, to servers and to sentinels} */
    public boolean tls() {
        return parsed.tls;
    }

    /** {@return how connections are encrypted, if they are} */
    public TlsSettings tlsSettings() {
        return parsed.tlsSettings;
    }

    /**
     * Returns how a new connection to the server authenticates. A driver calls this for each connection, on a thread that may wait: the
     * credentials may have to be fetched.
     *
     * @return user and password of the URI, or what {@link #withCredentials} supplies; empty without both
     * @throws RedisConnectionException if there is a supplier, and it threw or returned null
     */
    public Optional<Credentials> credentials() {
        if (supplier == null) {
            return Optional.ofNullable(parsed.password).map(password -> new Credentials(parsed.user, password));
        }
        Credentials supplied;
        try {
            supplied = supplier.get();
        } catch (Throwable e) { // Its message may have a secret in it.
            throw notConnected(
                    "cannot connect to " + address() + ": the supplier of credentials threw "
                            + e.getClass().getName(),
                    e);
        }
        if (supplied == null) {
            throw notConnected("cannot connect to " + address() + ": the supplier of credentials returned null", null);
        }
        return Optional.of(supplied);
    }

    /** Not by {@link DriverFailures}, which knows URIs: both would be in one cycle. */
    private static RedisConnectionException notConnected(String message, @Nullable Throwable cause) {
        return new RedisConnectionException(RedisConnectionException.Failure.NOT_CONNECTED, message, cause);
    }

    /** {@return whether the credentials come from a supplier, which may take its time} */
    public boolean hasSuppliedCredentials() {
        return supplier != null;
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
        return Optional.ofNullable(parsed.text("driver"));
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

    /**
     * Returns what messages name, without user and password.
     *
     * @return host and port; or the socket's path; or all addresses, and for sentinels the name of the master:
     *     {@code s1:26379,s2:26379/name}
     */
    public String address() {
        if (parsed.socket != null) {
            return parsed.socket.toString();
        }
        String all = parsed.addresses.stream().map(RedisAddress::toString).collect(Collectors.joining(","));
        return masterName().map(name -> all + "/" + name).orElse(all);
    }

    /** {@return the address, without user and password} */
    @Override
    public String toString() {
        return address();
    }
}
