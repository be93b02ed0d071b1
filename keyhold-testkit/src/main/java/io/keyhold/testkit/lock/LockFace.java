package io.keyhold.testkit.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The two ways to use a lock. One test body runs through each, so that they cannot drift apart. */
public enum LockFace {
    /** The calls that wait. */
    BLOCKING {
        @Override
        public Lease acquire(DistributedLock lock) throws InterruptedException {
            return lock.acquire();
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedLock lock) {
            return lock.tryAcquire();
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedLock lock, Duration maxWait) throws InterruptedException {
            return lock.tryAcquire(maxWait);
        }

        @Override
        public boolean release(Lease lease) {
            return lease.release();
        }
    },
    /** The calls that answer a future. */
    ASYNCHRONOUS {
        @Override
        public Lease acquire(DistributedLock lock) throws InterruptedException {
            return get(lock.acquireAsync());
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedLock lock) throws InterruptedException {
            return get(lock.tryAcquireAsync());
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedLock lock, Duration maxWait) throws InterruptedException {
            return get(lock.tryAcquireAsync(maxWait));
        }

        @Override
        public boolean release(Lease lease) throws InterruptedException {
            return get(lease.releaseAsync());
        }
    };

    /** {@code acquire}. */
    public abstract Lease acquire(DistributedLock lock) throws InterruptedException;

    /** {@code tryAcquire} without waiting. */
    public abstract Optional<Lease> tryAcquire(DistributedLock lock) throws InterruptedException;

    /** {@code tryAcquire} with waiting. */
    public abstract Optional<Lease> tryAcquire(DistributedLock lock, Duration maxWait) throws InterruptedException;

    /** {@code release}. */
    public abstract boolean release(Lease lease) throws InterruptedException;

    private static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("a future failed with something that is not a RuntimeException", e.getCause());
        }
    }
}
