package io.keyhold.jedis;

import io.keyhold.RedisCommands;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.LocalPassContract;
import io.keyhold.testkit.lock.QueueContract;
import io.keyhold.testkit.lock.RedisLockContract;

class JedisScriptsLockTest extends RedisLockContract implements QueueContract, LocalPassContract {

    @Override
    protected RedisDriver open(RedisUri uri) {
        return JedisDriver.open(uri);
    }

    @Override
    protected RedisCommands commands() {
        return RedisCommands.SCRIPTS;
    }
}
