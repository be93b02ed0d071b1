package io.keyhold.benchmarks.contender;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Durability;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Keyhold, with its defaults except for the driver and the fairness. */
final class KeyholdClient implements LockClient {
    private static final Duration LONG_LEASE = Duration.ofHours(1);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

    /** How many asynchronous requests are in flight at once. */
    private static final int IN_FLIGHT = 100;

    private final Keyhold keyhold;
    private final LockOptions lockOptions;

    private KeyholdClient(Keyhold keyhold, LockOptions lockOptions) {
        this.keyhold = keyhold;
        this.lockOptions = lockOptions;
    }

    static LockClient open(OpenOptions options, String driver, Fairness fairness) {
        LockOptions.Builder lockOptions = LockOptions.builder().fairness(fairness);
        options.renewedLease().ifPresent(lease -> lockOptions.lease(lease).renew(true));
        Keyhold keyhold = connect(uris(options, driver));
        // It connects when it is first used; the other libraries connect when they are opened.
        if (options.isQuorum()) {
            awaitQuorum(keyhold);
        } else {
            boolean ignored = keyhold.lock("keyhold-benchmark:connect").isLocked();
        }
        return new KeyholdClient(keyhold, lockOptions.build());
    }

    /** Opens a client whose grants a replica has acknowledged. The server is known to be new, so it may grant at once. */
    static LockClient openDurable(OpenOptions options, String driver) {
        Keyhold keyhold = Keyhold.builder()
                .uri(uris(options, driver).get(0))
                .durability(Durability.replicas(1).withAdmitFreshNodes(true))
                .build();
        boolean ignored = keyhold.lock("keyhold-benchmark:connect").isLocked();
        return new KeyholdClient(keyhold, LockOptions.defaults());
    }

    private static List<String> uris(OpenOptions options, String driver) {
        return options.uris().stream().map(uri -> uri + "?driver=" + driver).toList();
    }

    /** Connects. The nodes of a quorum are known to be new, so they may vote at once. */
    private static Keyhold connect(List<String> uris) {
        return uris.size() == 1
                ? Keyhold.connect(uris.get(0))
                : Keyhold.builder()
                        .quorum(
                                uris,
                                QuorumOptions.builder().admitFreshNodes(true).build())
                        .build();
    }

    /**
     * Acquires an unused lock, again and again until it succeeds: a quorum waits for a node at most a second, and a JVM that has just
     * been started on a busy machine may take longer to load its classes and connect to all nodes.
     */
    private static void awaitQuorum(Keyhold keyhold) {
        DistributedLock own = keyhold.lock("keyhold-benchmark:connect:" + UUID.randomUUID());
        long deadline = System.nanoTime() + CONNECT_TIMEOUT.toNanos();
        while (true) {
            try {
                Optional<Lease> lease = own.tryAcquire();
                if (lease.isPresent()) {
                    lease.get().release();
                    return;
                }
            } catch (StoreUnavailableException | StoreRefusedException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    @Override
    public LockHandle lock(String key) {
        return new LeaseHandle(key, keyhold.lock(key, lockOptions)::acquire);
    }

    @Override
    public LockHandle semaphore(String key, int permits) {
        return new LeaseHandle(key, keyhold.semaphore(key, permits)::acquire);
    }

    @Override
    public ReadWriteHandles readWriteLock(String key) {
        DistributedReadWriteLock lock = keyhold.readWriteLock(key);
        return new ReadWriteHandles(
                new LeaseHandle(key, lock.readLock()::acquire), new LeaseHandle(key, lock.writeLock()::acquire));
    }

    @Override
    public LockHandle allOf(List<String> keys) {
        return new LeaseHandle(keys.toString(), keyhold.allOf(keys.toArray(String[]::new))::acquire);
    }

    /** Sends many requests at a time, which is faster. */
    @Override
    public void occupy(String key, int permits, int taken) {
        DistributedSemaphore semaphore = keyhold.semaphore(
                key,
                SemaphoreOptions.builder().permits(permits).lease(LONG_LEASE).build());
        for (int first = 0; first < taken; first += IN_FLIGHT) {
            List<CompletableFuture<Lease>> requests = new ArrayList<>();
            for (int number = first; number < Math.min(taken, first + IN_FLIGHT); number++) {
                requests.add(semaphore.acquireAsync());
            }
            requests.forEach(CompletableFuture::join);
        }
    }

    @Override
    public void close() {
        keyhold.close();
    }

    private interface Acquire {
        Lease acquire() throws InterruptedException;
    }

    private static final class LeaseHandle implements LockHandle {
        private final String name;
        private final Acquire acquire;
        private @Nullable Lease lease;

        LeaseHandle(String name, Acquire acquire) {
            this.name = name;
            this.acquire = acquire;
        }

        @Override
        public void acquire() throws InterruptedException {
            lease = acquire.acquire();
        }

        @Override
        public void release() {
            Lease held = lease;
            if (held == null || !held.release()) {
                throw new IllegalStateException("the lock was lost: " + name);
            }
        }
    }
}
