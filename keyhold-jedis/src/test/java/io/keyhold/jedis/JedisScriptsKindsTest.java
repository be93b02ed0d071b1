package io.keyhold.jedis;

import io.keyhold.CommandStyle;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.AllOfContract;
import io.keyhold.testkit.lock.AllOfLineContract;
import io.keyhold.testkit.lock.AllOfWaitContract;
import io.keyhold.testkit.lock.AnyLockContract;
import io.keyhold.testkit.lock.ForeignContract;
import io.keyhold.testkit.lock.LocalPassContract;
import io.keyhold.testkit.lock.LockContract;
import io.keyhold.testkit.lock.OverLocksOfOneKey;
import io.keyhold.testkit.lock.OverLocksOfTwoKeys;
import io.keyhold.testkit.lock.OverWriteLocks;
import io.keyhold.testkit.lock.QueueContract;
import io.keyhold.testkit.lock.ReadWriteLockContract;
import io.keyhold.testkit.lock.RedisAllOfContract;
import io.keyhold.testkit.lock.RedisStoreUnderTest;
import io.keyhold.testkit.semaphore.FairSemaphoreContract;
import io.keyhold.testkit.semaphore.RedisSemaphoreContract;
import io.keyhold.testkit.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every kind of lock. They mostly wait, so several of these tests run at a time. */
class JedisScriptsKindsTest {

    @Execution(ExecutionMode.CONCURRENT)
    abstract static class Store extends RedisStoreUnderTest {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return JedisDriver.open(uri);
        }

        @Override
        protected CommandStyle commands() {
            return CommandStyle.SCRIPTS;
        }
    }

    @Nested
    class Locks extends Store implements LockContract, QueueContract, LocalPassContract {}

    @Nested
    class Semaphores extends Store implements SemaphoreContract, FairSemaphoreContract, RedisSemaphoreContract {}

    @Nested
    class ReadWriteLocks extends Store implements ReadWriteLockContract {}

    @Nested
    class AllOf extends Store implements AllOfContract, AllOfWaitContract, AllOfLineContract, RedisAllOfContract {}

    @Nested
    class WriteLock extends Store implements OverWriteLocks, AnyLockContract, QueueContract {}

    @Nested
    class AllOfOneKey extends Store implements OverLocksOfOneKey, AnyLockContract, ForeignContract {}

    @Nested
    class AllOfTwoKeys extends Store implements OverLocksOfTwoKeys, AnyLockContract {}
}
