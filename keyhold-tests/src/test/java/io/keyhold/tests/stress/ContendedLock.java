package io.keyhold.tests.stress;

import io.keyhold.DistributedLock;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A lock of any kind. */
record ContendedLock(String waitsFor, DistributedLock lock, Work work) implements ContendedResource {

    @Override
    public Lease acquire() throws InterruptedException {
        return lock.acquire();
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return lock.tryAcquire();
    }

    @Override
    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return lock.tryAcquire(maxWait);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return lock.acquireAsync();
    }

    @Override
    public boolean release(String token) {
        return lock.release(token);
    }
}
