package io.keyhold.tests.contract;

import io.keyhold.tests.contract.lock.AllOfContract;
import io.keyhold.tests.contract.lock.AllOfQueueContract;
import io.keyhold.tests.contract.lock.AllOfWaitContract;
import io.keyhold.tests.contract.lock.AnyLockContract;
import io.keyhold.tests.contract.lock.ForeignContract;
import io.keyhold.tests.contract.lock.LocalHandOverContract;
import io.keyhold.tests.contract.lock.LockContract;
import io.keyhold.tests.contract.lock.OverLocksOfOneKey;
import io.keyhold.tests.contract.lock.OverLocksOfTwoKeys;
import io.keyhold.tests.contract.lock.OverWriteLocks;
import io.keyhold.tests.contract.lock.QueueContract;
import io.keyhold.tests.contract.lock.ReadWriteLockContract;
import io.keyhold.tests.contract.semaphore.FairSemaphoreContract;
import io.keyhold.tests.contract.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every kind of lock, inside one JVM. The tests mostly wait, so several of these tests run at a time. */
class InMemoryKindsTest {

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Locks extends InMemoryStore implements LockContract, QueueContract, LocalHandOverContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Semaphores extends InMemoryStore implements SemaphoreContract, FairSemaphoreContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class ReadWriteLocks extends InMemoryStore implements ReadWriteLockContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class AllOf extends InMemoryStore implements AllOfContract, AllOfWaitContract, AllOfQueueContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class WriteLock extends InMemoryStore implements OverWriteLocks, AnyLockContract, QueueContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class AllOfOneKey extends InMemoryStore implements OverLocksOfOneKey, AnyLockContract, ForeignContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class AllOfTwoKeys extends InMemoryStore implements OverLocksOfTwoKeys, AnyLockContract {}
}
