package io.keyhold.tests.stress;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Some permits of a semaphore. */
record ContendedPermits(DistributedSemaphore semaphore, int permits, Work work) implements ContendedResource {

    @Override
    public String waitsFor() {
        return semaphore.key();
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return semaphore.acquire(permits);
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return semaphore.tryAcquire(permits);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return semaphore.tryAcquire(permits, maxWait);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return semaphore.acquireAsync(permits);
    }

    @Override
    public boolean release(String token) {
        return semaphore.release(token);
    }
}
