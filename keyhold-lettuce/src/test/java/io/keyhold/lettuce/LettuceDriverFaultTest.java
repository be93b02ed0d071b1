package io.keyhold.lettuce;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.RedisDriverFaultContract;

/** Lettuce keeps the contract of faults. */
class LettuceDriverFaultTest extends RedisDriverFaultContract {

    @Override
    public RedisDriver open(RedisUri uri) {
        return LettuceDriver.open(uri);
    }
}
