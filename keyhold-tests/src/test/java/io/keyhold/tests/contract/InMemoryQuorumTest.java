package io.keyhold.tests.contract;

import io.keyhold.tests.contract.lock.AllOfContract;
import io.keyhold.tests.contract.lock.AllOfWaitContract;
import io.keyhold.tests.contract.lock.BasicLockContract;
import io.keyhold.tests.contract.lock.OverLocksOfTwoKeys;
import io.keyhold.tests.contract.lock.QuorumLockContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every kind of lock that a quorum has, inside one JVM. The tests mostly wait, so several of these tests run at a time. */
class InMemoryQuorumTest {

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Locks extends InMemoryQuorum implements QuorumLockContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class AllOf extends InMemoryQuorum implements AllOfContract, AllOfWaitContract {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class AllOfTwoKeys extends InMemoryQuorum implements OverLocksOfTwoKeys, BasicLockContract {}
}
