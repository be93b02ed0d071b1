package io.keyhold.tests.contract;

import io.keyhold.CommandStyle;
import io.keyhold.Durability;
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

/** Every kind with durable grants, on a real master with two replicas that both have to acknowledge. */
@Tag("full")
class DurableStoresTest {

    /** One for all tests of this JVM; it ends with the JVM, and every test uses its own keys. */
    private static final EmbeddedReplicas SERVERS = EmbeddedReplicas.start();

    @Execution(ExecutionMode.CONCURRENT)
    abstract static class Durable extends RedisStoreUnderTest {

        @Override
        protected String uri() {
            return SERVERS.members().get(0).uri();
        }

        @Override
        protected Durability durability() {
            return Durability.replicas(2)
                    .withLongestLease(Preconditions.LONGEST_LEASE)
                    .withAcknowledgeTimeout(Duration.ofSeconds(15))
                    .withFreshServerAdmitted();
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

    @Nested
    class AllOf extends Durable implements AllOfContract, AllOfWaitContract, AllOfQueueContract {}
}
