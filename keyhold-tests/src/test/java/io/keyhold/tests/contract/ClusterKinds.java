package io.keyhold.tests.contract;

import io.keyhold.KeyholdBuilder;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.contract.lock.AllOfContract;
import io.keyhold.tests.contract.lock.AllOfWaitContract;
import io.keyhold.tests.contract.lock.AnyLockContract;
import io.keyhold.tests.contract.lock.LocalHandOverContract;
import io.keyhold.tests.contract.lock.LockContract;
import io.keyhold.tests.contract.lock.OverWriteLocks;
import io.keyhold.tests.contract.lock.QueueContract;
import io.keyhold.tests.contract.lock.ReadWriteLockContract;
import io.keyhold.tests.contract.lock.RedisClusterUnderTest;
import io.keyhold.tests.contract.semaphore.FairSemaphoreContract;
import io.keyhold.tests.contract.semaphore.RedisSemaphoreContract;
import io.keyhold.tests.contract.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Everything in a cluster, with one driver. */
abstract class ClusterKinds {

    abstract RedisDriver open(RedisUri uri);

    @Execution(ExecutionMode.CONCURRENT)
    abstract class Cluster extends RedisClusterUnderTest {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return ClusterKinds.this.open(uri);
        }
    }

    @Nested
    class Locks extends Cluster implements LockContract, QueueContract, LocalHandOverContract {}

    @Nested
    class Semaphores extends Cluster implements SemaphoreContract, FairSemaphoreContract, RedisSemaphoreContract {}

    @Nested
    class ReadWriteLocks extends Cluster implements ReadWriteLockContract {}

    @Nested
    class WriteLock extends Cluster implements OverWriteLocks, AnyLockContract, QueueContract {}

    /** The prefix has a hash tag, so that all keys are in one slot. */
    @Nested
    class AllOf extends Cluster implements AllOfContract, AllOfWaitContract {

        private static final String PREFIX = "{contract}:";

        @Override
        public KeyholdBuilder client() {
            return super.client().keyPrefix(PREFIX);
        }

        @Override
        public void removeForeign(String key) {
            super.removeForeign(PREFIX + key);
        }
    }
}
