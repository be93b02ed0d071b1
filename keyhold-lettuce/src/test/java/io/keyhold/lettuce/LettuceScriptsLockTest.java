package io.keyhold.lettuce;

import io.keyhold.RedisCommands;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.LocalPassContract;
import io.keyhold.testkit.lock.QueueContract;
import io.keyhold.testkit.lock.RedisLockContract;

class LettuceScriptsLockTest extends RedisLockContract implements QueueContract, LocalPassContract {

    @Override
    protected RedisDriver open(RedisUri uri) {
        return LettuceDriver.open(uri);
    }

    @Override
    protected RedisCommands commands() {
        return RedisCommands.SCRIPTS;
    }
}
