package io.keyhold.tests.contract;

import io.keyhold.CommandStyle;
import io.keyhold.tests.contract.lock.LocalHandOverContract;
import io.keyhold.tests.contract.lock.LockContract;
import io.keyhold.tests.contract.lock.QueueContract;
import io.keyhold.tests.contract.semaphore.FairSemaphoreContract;
import io.keyhold.tests.contract.semaphore.RedisSemaphoreContract;
import io.keyhold.tests.contract.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;

/** Locks and semaphores, with one driver. */
abstract class RedisLocks extends RedisStores {

    @Nested
    class Locks extends Store implements LockContract, QueueContract, LocalHandOverContract {}

    @Nested
    class LocksByTransactions extends Store implements LockContract {

        @Override
        protected CommandStyle commands() {
            return CommandStyle.TRANSACTIONS;
        }
    }

    @Nested
    class Semaphores extends Store implements SemaphoreContract, FairSemaphoreContract, RedisSemaphoreContract {}
}
