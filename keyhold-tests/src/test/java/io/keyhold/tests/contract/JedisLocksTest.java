package io.keyhold.tests.contract;

import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;

class JedisLocksTest extends RedisLocks {

    @Override
    RedisDriver open(RedisUri uri) {
        return JedisDriver.open(uri);
    }
}
