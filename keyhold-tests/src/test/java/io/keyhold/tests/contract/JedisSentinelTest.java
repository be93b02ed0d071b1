package io.keyhold.tests.contract;

import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import org.junit.jupiter.api.Tag;

@Tag("full")
class JedisSentinelTest extends SentinelContracts {

    @Override
    RedisDriver openServer(RedisUri uri) {
        return JedisDriver.open(uri);
    }
}
