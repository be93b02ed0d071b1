package io.keyhold.tests.contract.lock;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The two ways to use a lock or a semaphore. One test body runs through each, so that they cannot drift apart. */
public enum ApiStyle {
    /** The calls that wait. */
    BLOCKING,
    /** The calls that return a future. */
    ASYNCHRONOUS;

    public Lease acquire(DistributedLock lock) throws InterruptedException {
        return this == BLOCKING ? lock.acquire() : get(lock.acquireAsync());
    }

    public Optional<Lease> tryAcquire(DistributedLock lock) throws InterruptedException {
        return this == BLOCKING ? lock.tryAcquire() : get(lock.tryAcquireAsync());
    }

    public Optional<Lease> tryAcquire(DistributedLock lock, Duration maxWait) throws InterruptedException {
        return this == BLOCKING ? lock.tryAcquire(maxWait) : get(lock.tryAcquireAsync(maxWait));
    }

    public Lease acquire(DistributedSemaphore semaphore) throws InterruptedException {
        return this == BLOCKING ? semaphore.acquire() : get(semaphore.acquireAsync());
    }

    public Lease acquire(DistributedSemaphore semaphore, int permits) throws InterruptedException {
        return this == BLOCKING ? semaphore.acquire(permits) : get(semaphore.acquireAsync(permits));
    }

    public Optional<Lease> tryAcquire(DistributedSemaphore semaphore) throws InterruptedException {
        return this == BLOCKING ? semaphore.tryAcquire() : get(semaphore.tryAcquireAsync());
    }

    public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits) throws InterruptedException {
        return this == BLOCKING ? semaphore.tryAcquire(permits) : get(semaphore.tryAcquireAsync(permits));
    }

    public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, Duration maxWait) throws InterruptedException {
        return this == BLOCKING ? semaphore.tryAcquire(maxWait) : get(semaphore.tryAcquireAsync(maxWait));
    }

    public Optional<Lease> tryAcquire(DistributedSemaphore semaphore, int permits, Duration maxWait)
            throws InterruptedException {
        return this == BLOCKING
                ? semaphore.tryAcquire(permits, maxWait)
                : get(semaphore.tryAcquireAsync(permits, maxWait));
    }

    public boolean release(Lease lease) throws InterruptedException {
        return this == BLOCKING ? lease.release() : get(lease.releaseAsync());
    }

    public boolean releaseAfter(Lease lease, Duration rest) throws InterruptedException {
        return this == BLOCKING ? lease.releaseAfter(rest) : get(lease.releaseAfterAsync(rest));
    }

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
