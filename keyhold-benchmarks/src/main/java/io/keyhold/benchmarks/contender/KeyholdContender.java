package io.keyhold.benchmarks.contender;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Keyhold, with its defaults but for the driver and the fairness. */
final class KeyholdContender implements Contender {
    private static final Duration LONG_LEASE = Duration.ofHours(1);
    private static final Duration CONNECTING = Duration.ofSeconds(30);

    /** How many requests are on their way at once where nobody waits for each. */
    private static final int AT_ONCE = 100;

    private final Keyhold keyhold;
    private final LockOptions lockOptions;

    private KeyholdContender(Keyhold keyhold, LockOptions lockOptions) {
        this.keyhold = keyhold;
        this.lockOptions = lockOptions;
    }

    static Contender open(OpenOptions options, String driver, Fairness fairness) {
        LockOptions.Builder lockOptions = LockOptions.builder().fairness(fairness);
        options.renewedLease().ifPresent(lease -> lockOptions.lease(lease).renew(true));
        Keyhold keyhold = connect(
                options.uris().stream().map(uri -> uri + "?driver=" + driver).toArray(String[]::new));
        // It connects when it is first used; the others do so when they are opened.
        if (options.isQuorum()) {
            awaitQuorum(keyhold);
        } else {
            boolean ignored = keyhold.lock("keyhold-benchmark:connect").isLocked();
        }
        return new KeyholdContender(keyhold, lockOptions.build());
    }

    /** The nodes of a quorum are known to be new, so that they may vote at once. */
    private static Keyhold connect(String... uris) {
        return uris.length == 1
                ? Keyhold.connect(uris[0])
                : Keyhold.builder().quorum(uris).admitFreshNodes(true).build();
    }

    /**
     * Takes a lock that nobody else wants. A quorum waits for nobody longer than a second, and a JVM that has just been started, on
     * a machine with other things to do, may take longer than that to load its classes and connect to all nodes.
     */
    private static void awaitQuorum(Keyhold keyhold) {
        DistributedLock own = keyhold.lock("keyhold-benchmark:connect:" + UUID.randomUUID());
        long deadline = System.nanoTime() + CONNECTING.toNanos();
        while (true) {
            try {
                Optional<Lease> lease = own.tryAcquire();
                if (lease.isPresent()) {
                    lease.get().release();
                    return;
                }
            } catch (StoreUnavailableException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    @Override
    public ContenderLock lock(String key) {
        return new OneThreads(key, keyhold.lock(key, lockOptions)::acquire);
    }

    @Override
    public ContenderLock semaphore(String key, int permits) {
        return new OneThreads(key, keyhold.semaphore(key, permits)::acquire);
    }

    @Override
    public ReadWritePair readWriteLock(String key) {
        DistributedReadWriteLock lock = keyhold.readWriteLock(key);
        return new ReadWritePair(
                new OneThreads(key, lock.readLock()::acquire), new OneThreads(key, lock.writeLock()::acquire));
    }

    @Override
    public ContenderLock allOf(List<String> keys) {
        return new OneThreads(keys.toString(), keyhold.allOf(keys.toArray(String[]::new))::acquire);
    }

    /** Many requests at a time, so that it is quick. */
    @Override
    public void occupy(String key, int permits, int taken) {
        DistributedSemaphore semaphore = keyhold.semaphore(
                key,
                SemaphoreOptions.builder().permits(permits).lease(LONG_LEASE).build());
        for (int first = 0; first < taken; first += AT_ONCE) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int number = first; number < Math.min(taken, first + AT_ONCE); number++) {
                asked.add(semaphore.acquireAsync());
            }
            asked.forEach(CompletableFuture::join);
        }
    }

    @Override
    public void close() {
        keyhold.close();
    }

    private interface Way {
        Lease acquire() throws InterruptedException;
    }

    private static final class OneThreads implements ContenderLock {
        private final String name;
        private final Way way;
        private @Nullable Lease lease;

        OneThreads(String name, Way way) {
            this.name = name;
            this.way = way;
        }

        @Override
        public void acquire() throws InterruptedException {
            lease = way.acquire();
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
