package io.keyhold.lettuce;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.RedisDriverContract;

/** Lettuce keeps the contract. */
class LettuceDriverTest extends RedisDriverContract {

    @Override
    public RedisDriver open(RedisUri uri) {
        return LettuceDriver.open(uri);
    }
}
