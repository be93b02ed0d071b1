package io.keyhold.lettuce;

import io.keyhold.RedisCommands;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.lock.AllOfContract;
import io.keyhold.testkit.lock.AllOfWaitContract;
import io.keyhold.testkit.lock.AnyLockContract;
import io.keyhold.testkit.lock.ForeignContract;
import io.keyhold.testkit.lock.LockContract;
import io.keyhold.testkit.lock.OverLocksOfOneKey;
import io.keyhold.testkit.lock.OverLocksOfTwoKeys;
import io.keyhold.testkit.lock.RedisStoreUnderTest;
import io.keyhold.testkit.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every kind of lock that transactions can do. They mostly wait, so several of these tests run at a time. */
class LettuceTransactionsKindsTest {

    @Execution(ExecutionMode.CONCURRENT)
    abstract static class Store extends RedisStoreUnderTest {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return LettuceDriver.open(uri);
        }

        @Override
        protected RedisCommands commands() {
            return RedisCommands.TRANSACTIONS;
        }
    }

    @Nested
    class Locks extends Store implements LockContract {}

    @Nested
    class Semaphores extends Store implements SemaphoreContract {}

    @Nested
    class AllOf extends Store implements AllOfContract, AllOfWaitContract {}

    @Nested
    class AllOfOneKey extends Store implements OverLocksOfOneKey, AnyLockContract, ForeignContract {}

    @Nested
    class AllOfTwoKeys extends Store implements OverLocksOfTwoKeys, AnyLockContract {}
}
