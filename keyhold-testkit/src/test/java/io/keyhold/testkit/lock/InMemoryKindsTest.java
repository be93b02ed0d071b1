package io.keyhold.testkit.lock;

import io.keyhold.testkit.semaphore.FairSemaphoreContract;
import io.keyhold.testkit.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every kind of lock, inside one JVM. They mostly wait, so several of these tests run at a time. */
class InMemoryKindsTest {

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Locks extends InMemoryStore implements LockContract, QueueContract, LocalPassContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Semaphores extends InMemoryStore implements SemaphoreContract, FairSemaphoreContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class ReadWriteLocks extends InMemoryStore implements ReadWriteLockContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class AllOf extends InMemoryStore implements AllOfContract, AllOfWaitContract, AllOfLineContract {}

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
