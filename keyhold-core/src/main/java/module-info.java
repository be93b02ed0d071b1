/** Distributed locks and semaphores on Redis. */
module io.keyhold {
    requires static org.jspecify;

    exports io.keyhold;
    exports io.keyhold.inspect;
    exports io.keyhold.spi;

    uses io.keyhold.spi.RedisDriverProvider;
}
