package io.keyhold.testkit.semaphore;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The two ways to use a semaphore. One test body runs through each, so that they cannot drift apart. */
public enum SemaphoreFace {
    /** The calls that wait. */
    BLOCKING {
        @Override
        public Lease acquire(DistributedSemaphore semaphore) throws InterruptedException {
            return semaphore.acquire();
        }

        @Override
        public Lease acquire(DistributedSemaphore semaphore, int permits) throws InterruptedException {
            return semaphore.acquire(permits);
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore) {
            return semaphore.tryAcquire();
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits) {
            return semaphore.tryAcquire(permits);
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, Duration maxWait)
                throws InterruptedException {
            return semaphore.tryAcquire(maxWait);
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits, Duration maxWait)
                throws InterruptedException {
            return semaphore.tryAcquire(permits, maxWait);
        }

        @Override
        public boolean release(Lease lease) {
            return lease.release();
        }
    },
    /** The calls that answer a future. */
    ASYNCHRONOUS {
        @Override
        public Lease acquire(DistributedSemaphore semaphore) throws InterruptedException {
            return get(semaphore.acquireAsync());
        }

        @Override
        public Lease acquire(DistributedSemaphore semaphore, int permits) throws InterruptedException {
            return get(semaphore.acquireAsync(permits));
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore) throws InterruptedException {
            return get(semaphore.tryAcquireAsync());
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits) throws InterruptedException {
            return get(semaphore.tryAcquireAsync(permits));
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, Duration maxWait)
                throws InterruptedException {
            return get(semaphore.tryAcquireAsync(maxWait));
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits, Duration maxWait)
                throws InterruptedException {
            return get(semaphore.tryAcquireAsync(permits, maxWait));
        }

        @Override
        public boolean release(Lease lease) throws InterruptedException {
            return get(lease.releaseAsync());
        }
    };

    /** {@code acquire} of one permit. */
    public abstract Lease acquire(DistributedSemaphore semaphore) throws InterruptedException;

    /** {@code acquire} of several permits. */
    public abstract Lease acquire(DistributedSemaphore semaphore, int permits) throws InterruptedException;

    /** {@code tryAcquire} of one permit, without waiting. */
    public abstract Optional<Lease> tryAcquire(DistributedSemaphore semaphore) throws InterruptedException;

    /** {@code tryAcquire} of several permits, without waiting. */
    public abstract Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits) throws InterruptedException;

    /** {@code tryAcquire} of one permit, with waiting. */
    public abstract Optional<Lease> tryAcquire(DistributedSemaphore semaphore, Duration maxWait)
            throws InterruptedException;

    /** {@code tryAcquire} of several permits, with waiting. */
    public abstract Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits, Duration maxWait)
            throws InterruptedException;

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
