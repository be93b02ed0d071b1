package io.keyhold.tests.contract;

import io.keyhold.embedded.EmbeddedSentinel;
import io.keyhold.internal.topology.SentinelDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.contract.lock.LocalHandOverContract;
import io.keyhold.tests.contract.lock.LockContract;
import io.keyhold.tests.contract.lock.QueueContract;
import io.keyhold.tests.contract.lock.ReadWriteLockContract;
import io.keyhold.tests.contract.semaphore.FairSemaphoreContract;
import io.keyhold.tests.contract.semaphore.RedisSemaphoreContract;
import io.keyhold.tests.contract.semaphore.SemaphoreContract;
import org.junit.jupiter.api.Nested;

/** Locks, semaphores and read/write locks on the master that sentinels name, with one driver. */
abstract class SentinelContracts extends RedisStores {

    /** One for all test classes of this JVM; it ends with the JVM. */
    private static final EmbeddedSentinel SENTINEL = EmbeddedSentinel.start();

    /** Opens a driver for one server or sentinel. */
    abstract RedisDriver openServer(RedisUri uri);

    @Override
    RedisDriver open(RedisUri uri) {
        return new SentinelDriver(
                uri.masterName().orElseThrow(),
                uri.addresses().stream()
                        .map(sentinel -> openServer(uri.forSentinel(sentinel)))
                        .toList(),
                server -> openServer(uri.forServer(server)));
    }

    abstract class OnMaster extends Store {

        @Override
        protected String uri() {
            return SENTINEL.uri();
        }
    }

    @Nested
    class Locks extends OnMaster implements LockContract, QueueContract, LocalHandOverContract {}

    @Nested
    class Semaphores extends OnMaster implements SemaphoreContract, FairSemaphoreContract, RedisSemaphoreContract {}

    @Nested
    class ReadWriteLocks extends OnMaster implements ReadWriteLockContract {}
}
