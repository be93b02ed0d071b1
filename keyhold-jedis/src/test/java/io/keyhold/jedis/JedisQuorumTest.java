package io.keyhold.jedis;

import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.AllOfContract;
import io.keyhold.testkit.lock.AllOfWaitContract;
import io.keyhold.testkit.lock.QuorumLockContract;
import io.keyhold.testkit.lock.RedisQuorumUnderTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a quorum has, on three servers. They mostly wait, so several of these tests run at a time. */
class JedisQuorumTest {

    @Execution(ExecutionMode.CONCURRENT)
    abstract static class Store extends RedisQuorumUnderTest {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return JedisDriver.open(uri);
        }
    }

    @Nested
    class Locks extends Store implements QuorumLockContract {}

    @Nested
    class AllOf extends Store implements AllOfContract, AllOfWaitContract {}
}
