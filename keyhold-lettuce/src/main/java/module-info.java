/** Keyhold's driver for Lettuce. */
module io.keyhold.lettuce {
    requires transitive io.keyhold;
    requires static org.jspecify;
    requires transitive lettuce.core;
    // Lettuce needs all that these need. It has no module descriptor in which it could say so, but netty has.
    requires io.netty.buffer;
    requires io.netty.handler;
    requires io.netty.resolver.dns;
    requires reactor.core;

    exports io.keyhold.lettuce;

    provides io.keyhold.spi.RedisDriverProvider with
            io.keyhold.lettuce.LettuceDriverProvider;
}
