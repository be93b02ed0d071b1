package io.keyhold.tests.contract;

import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import org.junit.jupiter.api.Tag;

@Tag("full")
class JedisClusterTest extends ClusterKinds {

    @Override
    RedisDriver open(RedisUri uri) {
        return JedisDriver.open(uri);
    }
}
