package io.keyhold.tests.contract;

import io.keyhold.CommandStyle;
import io.keyhold.Durability;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedReplicas;
import io.keyhold.internal.Preconditions;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.lettuce.LettuceDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.contract.lock.AllOfContract;
import io.keyhold.tests.contract.lock.AllOfQueueContract;
import io.keyhold.tests.contract.lock.AllOfWaitContract;
import io.keyhold.tests.contract.lock.BasicLockContract;
import io.keyhold.tests.contract.lock.ElectionContract;
import io.keyhold.tests.contract.lock.ForeignContract;
import io.keyhold.tests.contract.lock.InspectContract;
import io.keyhold.tests.contract.lock.LocalHandOverContract;
import io.keyhold.tests.contract.lock.OwnTokenContract;
import io.keyhold.tests.contract.lock.QueueContract;
import io.keyhold.tests.contract.lock.ReadWriteLockContract;
import io.keyhold.tests.contract.lock.RedisClusterUnderTest;
import io.keyhold.tests.contract.lock.RedisStoreUnderTest;
import io.keyhold.tests.contract.lock.StrictExclusionContract;
import io.keyhold.tests.contract.semaphore.FairSemaphoreContract;
import io.keyhold.tests.contract.semaphore.LimitContract;
import io.keyhold.tests.contract.semaphore.PermitKeyContract;
import io.keyhold.tests.contract.semaphore.PermitLeaseContract;
import io.keyhold.tests.contract.semaphore.PermitRaceContract;
import io.keyhold.tests.contract.semaphore.PermitRestContract;
import io.keyhold.tests.contract.semaphore.PermitReturnContract;
import io.keyhold.tests.contract.semaphore.PermitWaitContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every kind with durable grants, on a real master with two replicas that both have to acknowledge, and in a cluster with a replica for each
 * primary.
 */
@Tag("full")
class DurableStoresTest {

    /** One for all tests of this JVM; it ends with the JVM, and every test uses its own keys. */
    private static final EmbeddedReplicas SERVERS = EmbeddedReplicas.start();

    private static Durability durabilityOf(int replicas) {
        return Durability.replicas(replicas)
                .withLongestLease(Preconditions.LONGEST_LEASE)
                .withAcknowledgeTimeout(Duration.ofSeconds(15))
                .withAdmitFreshNodes(true);
    }

    @Execution(ExecutionMode.CONCURRENT)
    abstract static class Durable extends RedisStoreUnderTest {

        @Override
        protected String uri() {
            return SERVERS.members().get(0).uri();
        }

        @Override
        protected Durability durability() {
            return durabilityOf(2);
        }

        @Override
        protected CommandStyle commands() {
            return CommandStyle.SCRIPTS;
        }

        @Override
        protected RedisDriver open(RedisUri uri) {
            return JedisDriver.open(uri);
        }
    }

    @Nested
    class Locks extends Durable
            implements BasicLockContract,
                    OwnTokenContract,
                    StrictExclusionContract,
                    ForeignContract,
                    InspectContract,
                    ElectionContract,
                    QueueContract,
                    LocalHandOverContract {}

    @Nested
    class LocksWithLettuce extends Durable implements BasicLockContract, QueueContract {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return LettuceDriver.open(uri);
        }
    }

    @Nested
    class Semaphores extends Durable
            implements FairSemaphoreContract,
                    LimitContract,
                    PermitKeyContract,
                    PermitLeaseContract,
                    PermitRaceContract,
                    PermitRestContract,
                    PermitReturnContract,
                    PermitWaitContract {}

    @Nested
    class ReadWriteLocks extends Durable implements ReadWriteLockContract {}

    @Execution(ExecutionMode.CONCURRENT)
    abstract static class InCluster extends RedisClusterUnderTest {

        /** Started by the first test that needs it, and ends with the JVM. */
        private static final EmbeddedCluster CLUSTER = EmbeddedCluster.start();

        @Override
        protected EmbeddedCluster cluster() {
            return CLUSTER;
        }

        @Override
        protected Durability durability() {
            return durabilityOf(1);
        }

        @Override
        protected RedisDriver open(RedisUri uri) {
            return JedisDriver.open(uri);
        }
    }

    @Nested
    class LocksInCluster extends InCluster
            implements BasicLockContract, OwnTokenContract, StrictExclusionContract, ElectionContract, QueueContract {}

    @Nested
    class LocksInClusterWithLettuce extends InCluster implements BasicLockContract, QueueContract {

        @Override
        protected RedisDriver open(RedisUri uri) {
            return LettuceDriver.open(uri);
        }
    }

    @Nested
    class SemaphoresInCluster extends InCluster
            implements FairSemaphoreContract, PermitLeaseContract, PermitReturnContract, PermitWaitContract {}

    @Nested
    class AllOf extends Durable implements AllOfContract, AllOfWaitContract, AllOfQueueContract {}
}
