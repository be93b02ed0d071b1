package io.keyhold.jedis;

import io.keyhold.spi.BlockingConnections;
import io.keyhold.spi.BlockingDriver;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisUri;
import java.util.Map;
import java.util.function.Supplier;
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

/** Carries Keyhold's commands with Jedis, on the threads that {@link BlockingDriver} describes. */
public final class JedisDriver extends BlockingDriver {

    static final String THREAD_PREFIX = "keyhold-jedis-";

    private JedisDriver(BlockingConnections connections, int maxShared) {
        super(connections, THREAD_PREFIX, maxShared);
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
        return new JedisDriver(new OwnConnections(uri), uri.maxConnections());
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
        return new JedisDriver(new ApplicationConnections(() -> pool), 0);
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
        ApplicationConnections connections = new ApplicationConnections(
                () -> masters.get().values().iterator().next());
        JedisDriver driver = new JedisDriver(connections, 0);
        connections.onReplaced(() -> driver.closeSubscriptions(DriverFailures.lost("the former master")));
        return driver;
    }

    /**
     * Opens drivers for the nodes of a cluster that borrow the connections of an application's cluster client, as {@link #using(UnifiedJedis)}
     * does. The client's own view of the cluster is used only to find its pools: a node that joins the cluster later, or returns to it, is used as
     * soon as the client knows it.
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

    /**
     * The client adds pools as it finds nodes, closes that of a node that has left, and makes another when the node returns: the pool is looked
     * up for each call. All are the application's, and not closed here.
     */
    static RedisCluster onNodes(Supplier<Map<String, ConnectionPool>> pools) {
        return RedisCluster.of(
                () -> pools.get().keySet().stream()
                        .map(HostAndPort::from)
                        .map(node -> new RedisAddress(node.getHost(), node.getPort()))
                        .toList(),
                node -> new JedisDriver(new ApplicationConnections(() -> pool(node, pools.get())), 0),
                () -> {});
    }

    private static Pool<Connection> pool(RedisAddress node, Map<String, ConnectionPool> pools) {
        ConnectionPool pool = pools.get(node.host() + ":" + node.port());
        if (pool == null) {
            throw new IllegalStateException("the application's client has no connections to this node of the cluster;"
                    + " give the client a topologyRefreshPeriod, so that it finds new nodes");
        }
        return pool;
    }
}
