package io.keyhold.lettuce;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.QuorumLockContract;
import io.keyhold.testkit.lock.RedisQuorumUnderTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Locks on three servers. They mostly wait, so several of these tests run at a time, but no other class beside them. */
class LettuceQuorumTest {

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Locks extends RedisQuorumUnderTest implements QuorumLockContract {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return LettuceDriver.open(uri);
        }
    }
}
