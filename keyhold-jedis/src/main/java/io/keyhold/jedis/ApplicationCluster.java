package io.keyhold.jedis;

import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;

/**
 * The nodes of a cluster, by the pools of an application's client, which are left as they are.
 *
 * @param pools the client's pools by host and port; the client adds nodes as it finds them
 */
record ApplicationCluster(Supplier<Map<String, ConnectionPool>> pools) implements RedisCluster {

    @Override
    public List<RedisAddress> nodes() {
        return pools.get().keySet().stream()
                .map(HostAndPort::from)
                .map(node -> new RedisAddress(node.getHost(), node.getPort()))
                .toList();
    }

    @Override
    public RedisDriver open(RedisAddress node) {
        ConnectionPool pool = pools.get().get(node.host() + ":" + node.port());
        if (pool == null) {
            throw new IllegalStateException(
                    "the application's client has no connections to this node of the cluster; give"
                            + " the client a topologyRefreshPeriod, so that it finds new nodes");
        }
        return JedisDriver.using(pool);
    }

    /** The pools are the application's. */
    @Override
    public void close() {}
}
