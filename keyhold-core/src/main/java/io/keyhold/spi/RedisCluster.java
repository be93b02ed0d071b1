package io.keyhold.spi;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Opens drivers for the nodes of a Redis Cluster, all with the same settings. Which node has which keys is not its concern: Keyhold asks the
 * nodes for that, and follows their redirections.
 *
 * <pre>{@code
 * // The application's own cluster client:
 * Keyhold keyhold = Keyhold.builder().cluster(JedisDriver.usingCluster(jedis)).build();
 * }</pre>
 */
public interface RedisCluster extends AutoCloseable {

    /** {@return nodes of the cluster of which at least one should reply, to be asked first for the others} */
    List<RedisAddress> nodes();

    /**
     * Opens a driver for one node. Opens no connection yet. The caller closes the driver; a node may be opened again after that.
     *
     * @param node where the node is, as the cluster itself names it
     * @return the driver
     * @throws RuntimeException if this node cannot be opened; the message says why
     */
    RedisDriver open(RedisAddress node);

    /** Closes what is shared by the drivers, after the last of them was closed. Closing twice is harmless. */
    @Override
    void close();

    /**
     * Returns a cluster whose drivers are opened by the given functions. For driver authors.
     *
     * @param nodes as {@link #nodes}
     * @param open as {@link #open}
     * @param close as {@link #close}
     * @return the cluster
     */
    static RedisCluster of(
            Supplier<List<RedisAddress>> nodes, Function<RedisAddress, RedisDriver> open, Runnable close) {
        return new RedisCluster() {
            @Override
            public List<RedisAddress> nodes() {
                return nodes.get();
            }

            @Override
            public RedisDriver open(RedisAddress node) {
                return open.apply(node);
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }
}
