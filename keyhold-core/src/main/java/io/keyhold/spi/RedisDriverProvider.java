package io.keyhold.spi;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes drivers from URIs. Found with {@link java.util.ServiceLoader}; when several are present, the URI's
 * {@code driver} parameter chooses by {@link #name()}, and otherwise the one with the lowest {@link #order()} is taken.
 */
public interface RedisDriverProvider {

    /** The name by which a URI asks for this driver: {@code ?driver=name}. */
    String name();

    /** The lowest comes first. Jedis is 100, Lettuce is 200. */
    int order();

    /**
     * A driver for the server that the URI names. Connects to nothing yet.
     *
     * @throws IllegalArgumentException if this driver cannot do what the URI asks for; the message says what and why
     */
    RedisDriver open(RedisUri uri);

    /**
     * Drivers for several servers of one client, in the order of the URIs. They may share threads. Each is closed on its own.
     *
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
}
