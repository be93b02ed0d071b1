package io.keyhold.lettuce;

import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import java.util.List;
import java.util.function.Function;

/**
 * The nodes of a cluster.
 *
 * @param nodes those to be asked first for the others
 * @param drivers opens the driver of a node
 * @param end runs when the cluster is closed
 */
record ClusterNodes(List<RedisAddress> nodes, Function<RedisAddress, RedisDriver> drivers, Runnable end)
        implements RedisCluster {

    /** Copies the addresses. */
    ClusterNodes {
        nodes = List.copyOf(nodes);
    }

    @Override
    public RedisDriver open(RedisAddress node) {
        return drivers.apply(node);
    }

    @Override
    public void close() {
        end.run();
    }
}
