package io.keyhold.lettuce;

import io.keyhold.RedisCommands;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.RedisLockContract;

class LettuceTransactionsLockTest extends RedisLockContract {

    @Override
    protected RedisDriver open(RedisUri uri) {
        return LettuceDriver.open(uri);
    }

    @Override
    protected RedisCommands commands() {
        return RedisCommands.TRANSACTIONS;
    }
}
