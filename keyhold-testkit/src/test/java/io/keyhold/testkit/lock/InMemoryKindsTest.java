package io.keyhold.testkit.lock;

import io.keyhold.testkit.semaphore.FairSemaphoreContract;
import io.keyhold.testkit.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;

/** Every kind of lock beside the plain one, inside one JVM. */
class InMemoryKindsTest {

    @Nested
    class Semaphores extends InMemoryStore implements SemaphoreContract, FairSemaphoreContract {}

    @Nested
    class ReadWriteLocks extends InMemoryStore implements ReadWriteLockContract {}

    @Nested
    class AllOf extends InMemoryStore implements AllOfContract, AllOfWaitContract, AllOfLineContract {}

    @Nested
    class WriteLock extends InMemoryStore implements OverWriteLocks, AnyLockContract, QueueContract {}

    @Nested
    class AllOfOneKey extends InMemoryStore implements OverLocksOfOneKey, AnyLockContract, ForeignContract {}

    @Nested
    class AllOfTwoKeys extends InMemoryStore implements OverLocksOfTwoKeys, AnyLockContract {}
}
