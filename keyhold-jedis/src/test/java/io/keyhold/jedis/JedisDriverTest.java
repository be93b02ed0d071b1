package io.keyhold.jedis;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.RedisDriverContract;

/** Jedis keeps the contract. */
class JedisDriverTest extends RedisDriverContract {

    @Override
    public RedisDriver open(RedisUri uri) {
        return JedisDriver.open(uri);
    }
}
