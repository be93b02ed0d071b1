package io.keyhold.jedis;

import io.keyhold.spi.BlockingCalls;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.PendingReply;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.RedisUri;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * Carries Keyhold's commands with Jedis, on the threads that {@link BlockingCalls} describes. A subscription has a daemon
 * thread and a connection of its own, from {@link #subscribe} until it ends.
 *
 * <p>Calls end by their timeouts and not by interrupts: a thread that was interrupted can still release its lock.
 */
public final class JedisDriver implements RedisDriver {

    static final String THREAD_PREFIX = "keyhold-jedis-";

    private final JedisConnections connections;
    private final BlockingCalls<JedisConnection> calls;
    private final Set<JedisSubscription> subscriptions;
    private volatile boolean closed;

    private JedisDriver(JedisConnections connections, int maxShared, Set<JedisSubscription> subscriptions) {
        this.connections = connections;
        this.calls = new BlockingCalls<>(connections, THREAD_PREFIX, maxShared);
        this.subscriptions = subscriptions;
    }

    /**
     * Creates a driver with connections of its own: at most {@link RedisUri#maxConnections()} for requests, as many for
     * releases and eight for renewals, so that none of them takes another's. All share those that are idle, and all but one
     * of these are closed after some seconds. Does not connect before the first call.
     *
     * @throws IllegalArgumentException if the URI names sentinels or a cluster, or a Unix domain socket, which Jedis does not
     *     speak, or a file for TLS that is missing or wrong
     */
    public static JedisDriver open(RedisUri uri) {
        uri.requireSingleServer();
        uri.socket().ifPresent(socket -> {
            throw new IllegalArgumentException("Jedis does not support the Unix domain socket '" + socket
                    + "' of the Redis URI; use Lettuce (add keyhold-lettuce and ?driver=lettuce)");
        });
        if (uri.tls()) {
            uri.tlsSettings().context();
        }
        return new JedisDriver(new OwnConnections(uri), uri.maxConnections(), ConcurrentHashMap.newKeySet());
    }

    /**
     * Creates a driver that borrows the connections of an application's client, and so has its timeouts, user and database.
     * The client is neither changed nor closed, and calls that are in flight when the driver is closed come to their end. A
     * client with a socket timeout of 0 would wait for a reply indefinitely; give it one.
     *
     * <p>All lanes wait for the client's pool alike: while the application has lent all connections, leases are not
     * renewed, for at most the pool's {@code maxWait} (two seconds if it has none). Leave room for a few. When the
     * server says that it does not serve (READONLY, say), the idle connections of the pool are closed with the one on which
     * it said so.
     *
     * <p>Waiting for locks takes one connection of the client's pool for as long as the Keyhold client lives; leave room for
     * it. It is not returned to the pool afterwards, but closed.
     *
     * <p>A client of sentinels finds the master by itself; its driver follows it when it moves to another one.
     *
     * @param client a {@link RedisClient}, or with Jedis 8 a {@link RedisSentinelClient}. Jedis 7.0 and 7.1 have {@code JedisPooled} instead: pass its
     *     {@code getPool()}
     * @throws IllegalArgumentException if the client is another, such as one for a cluster
     */
    public static JedisDriver using(UnifiedJedis client) {
        try {
            return client instanceof RedisSentinelClient sentinels
                    ? onMaster(sentinels::getPrimaryNodesConnectionMap)
                    : using(((RedisClient) client).getPool());
        } catch (NoSuchMethodError e) { // Jedis 7 has the map only in the provider.
            throw new IllegalArgumentException(
                    "a RedisSentinelClient of Jedis 7 does not show its connections; pass a SentineledConnectionProvider",
                    e);
        } catch (ClassCastException | NoClassDefFoundError e) { // Jedis before 7.2 does not have the class.
            throw new IllegalArgumentException(
                    client.getClass().getSimpleName() + " is not a RedisClient; pass its pool of connections instead",
                    e);
        }
    }

    /** Creates a driver that borrows the connections of an application's pool, as {@link #using(UnifiedJedis)} does. */
    public static JedisDriver using(Pool<Connection> pool) {
        return new JedisDriver(new ApplicationConnections(pool), 0, ConcurrentHashMap.newKeySet());
    }

    /**
     * Creates a driver that borrows the connections of a provider which finds the master by sentinels, and follows it, as
     * {@link #using(UnifiedJedis)} does. A client of Jedis 7 can be built with the same provider ({@code connectionProvider}).
     */
    public static JedisDriver using(SentineledConnectionProvider provider) {
        return onMaster(provider::getPrimaryNodesConnectionMap);
    }

    /** Closes the subscriptions when the master changes: a grant channel must be on the server that has the locks. */
    private static JedisDriver onMaster(Supplier<? extends Map<?, Pool<Connection>>> masters) {
        Set<JedisSubscription> subscriptions = ConcurrentHashMap.newKeySet();
        JedisConnections connections = new ApplicationConnections(
                () -> masters.get().values().iterator().next(),
                () -> subscriptions.forEach(
                        subscription -> subscription.close(DriverFailures.lost("the former master"))));
        return new JedisDriver(connections, 0, subscriptions);
    }

    /**
     * Opens drivers for the nodes of a cluster that borrow the connections of an application's cluster client, as {@link #using(UnifiedJedis)}
     * does. The client's own view of the cluster is used only to find its pools: a node that joins the cluster later is used as soon as
     * the client knows it.
     *
     * @param client a {@code RedisClusterClient}, or a {@code JedisCluster}
     * @throws IllegalArgumentException if the client is another, such as one for a single server
     */
    @SuppressWarnings("deprecation") // Jedis before 7.2 has only JedisCluster.
    public static RedisCluster usingCluster(UnifiedJedis client) {
        if (client instanceof JedisCluster cluster) {
            return onNodes(cluster::getClusterNodes);
        }
        try {
            RedisClusterClient cluster = (RedisClusterClient) client;
            return onNodes(cluster::getClusterNodes);
        } catch (ClassCastException | NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    client.getClass().getSimpleName()
                            + " is not a client of a cluster; for a single server call using(…)",
                    e);
        }
    }

    /** The client adds pools as it finds nodes. They are the application's, and not closed. */
    private static RedisCluster onNodes(Supplier<Map<String, ConnectionPool>> pools) {
        return RedisCluster.of(
                () -> pools.get().keySet().stream()
                        .map(HostAndPort::from)
                        .map(node -> new RedisAddress(node.getHost(), node.getPort()))
                        .toList(),
                node -> {
                    ConnectionPool pool = pools.get().get(node.host() + ":" + node.port());
                    if (pool == null) {
                        throw new IllegalStateException(
                                "the application's client has no connections to this node of the cluster; give"
                                        + " the client a topologyRefreshPeriod, so that it finds new nodes");
                    }
                    return using(pool);
                },
                () -> {});
    }

    @Override
    public String address() {
        return connections.address();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        return calls.call(call, options);
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options, Consumer<PendingReply> unread) {
        return calls.call(call, options, unread);
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return calls.withSession(options, work);
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        JedisSubscription subscription = new JedisSubscription(connections, channel, listener);
        subscriptions.add(subscription);
        try {
            if (closed) { // Then close() may have missed it.
                throw DriverFailures.closed(address());
            }
            return subscription.start(() -> subscriptions.remove(subscription));
        } catch (Throwable e) { // The system may have no thread left.
            subscriptions.remove(subscription);
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void trim() {
        connections.trim();
    }

    @Override
    public void close() {
        closed = true;
        connections.close();
        subscriptions.forEach(subscription -> subscription.close(DriverFailures.closed(address())));
        calls.close();
    }

    @Override
    public String toString() {
        return "JedisDriver[" + address() + "]";
    }
}
