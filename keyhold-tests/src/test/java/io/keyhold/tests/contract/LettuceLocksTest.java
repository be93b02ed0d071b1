package io.keyhold.tests.contract;

import io.keyhold.lettuce.LettuceDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import org.junit.jupiter.api.Tag;

@Tag("full")
class LettuceLocksTest extends RedisLocks {

    @Override
    RedisDriver open(RedisUri uri) {
        return LettuceDriver.open(uri);
    }
}
