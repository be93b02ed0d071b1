package io.keyhold.spi;

import java.util.ArrayList;
import java.util.List;

/**
 * Opens drivers for URIs. Found with {@link java.util.ServiceLoader}; when several are present, the URI's
 * {@code driver} parameter chooses by {@link #name()}, and otherwise the one with the lowest {@link #order()} is taken.
 */
public interface RedisDriverProvider {

    /** {@return the name by which a URI asks for this driver: {@code ?driver=name}} */
    String name();

    /** {@return the rank, of which the lowest comes first; Jedis has 100, Lettuce 200} */
    int order();

    /**
     * Opens a driver for the server that the URI names. Opens no connection yet. A driver that does not support sentinels and
     * clusters calls {@link RedisUri#requireSingleServer()} first.
     *
     * @param uri where the server is
     * @return the driver
     * @throws IllegalArgumentException if this driver cannot do what the URI asks for; the message says what and why
     */
    RedisDriver open(RedisUri uri);

    /**
     * Opens drivers for several servers of one client. They may share threads. Each is closed on its own.
     *
     * @param uris where the servers are
     * @return the drivers, in the order of the URIs
     * @throws IllegalArgumentException as {@link #open}; nothing is left open then
     */
    default List<RedisDriver> openAll(List<RedisUri> uris) {
        List<RedisDriver> drivers = new ArrayList<>();
        try {
            uris.forEach(uri -> drivers.add(open(uri)));
        } catch (RuntimeException e) {
            drivers.forEach(RedisDriver::close);
            throw e;
        }
        return drivers;
    }

    /**
     * Opens drivers for the nodes of a cluster, one by one as they are needed. Opens no connection yet.
     *
     * @param uri names nodes of the cluster
     * @return opens a driver for each node, with the URI's settings
     * @throws IllegalArgumentException as {@link #open}
     */
    default RedisCluster openCluster(RedisUri uri) {
        open(uri.forServer(uri.addresses().get(0))).close(); // Refuses now what it would refuse at the first call.
        return RedisCluster.of(uri::addresses, node -> open(uri.forServer(node)), () -> {});
    }
}
