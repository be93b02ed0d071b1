package io.keyhold.tests.contract;

import io.keyhold.tests.contract.lock.AllOfContract;
import io.keyhold.tests.contract.lock.AllOfQueueContract;
import io.keyhold.tests.contract.lock.AllOfWaitContract;
import io.keyhold.tests.contract.lock.AnyLockContract;
import io.keyhold.tests.contract.lock.ForeignContract;
import io.keyhold.tests.contract.lock.OverLocksOfOneKey;
import io.keyhold.tests.contract.lock.OverLocksOfTwoKeys;
import io.keyhold.tests.contract.lock.OverWriteLocks;
import io.keyhold.tests.contract.lock.QueueContract;
import io.keyhold.tests.contract.lock.QuorumLockContract;
import io.keyhold.tests.contract.lock.ReadWriteLockContract;
import io.keyhold.tests.contract.lock.RedisAllOfContract;
import org.junit.jupiter.api.Nested;

/** The other kinds of locks, with one driver. */
abstract class RedisKinds extends RedisStores {

    @Nested
    class ReadWriteLocks extends Store implements ReadWriteLockContract {}

    @Nested
    class AllOf extends Store implements AllOfContract, AllOfWaitContract, AllOfQueueContract, RedisAllOfContract {}

    @Nested
    class WriteLock extends Store implements OverWriteLocks, AnyLockContract, QueueContract {}

    @Nested
    class AllOfOneKey extends Store implements OverLocksOfOneKey, AnyLockContract, ForeignContract {}

    @Nested
    class AllOfTwoKeys extends Store implements OverLocksOfTwoKeys, AnyLockContract {}

    @Nested
    class QuorumLocks extends Quorum implements QuorumLockContract {}

    @Nested
    class QuorumAllOf extends Quorum implements AllOfContract, AllOfWaitContract {}
}
