package io.keyhold.spi;

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
}
