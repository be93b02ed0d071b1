/** Keyhold's driver for Jedis. */
module io.keyhold.jedis {
    requires transitive io.keyhold;
    requires static org.jspecify;
    requires transitive redis.clients.jedis;
    requires org.apache.commons.pool2;

    exports io.keyhold.jedis;

    provides io.keyhold.spi.RedisDriverProvider with
            io.keyhold.jedis.JedisDriverProvider;
}
