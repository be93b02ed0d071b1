package io.keyhold.jedis;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.RedisDriverFaultContract;

/** Jedis keeps the contract of faults. */
class JedisDriverFaultTest extends RedisDriverFaultContract {

    @Override
    public RedisDriver open(RedisUri uri) {
        return JedisDriver.open(uri);
    }
}
