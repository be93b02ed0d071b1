package io.keyhold.tests.stress;

import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One resource that a thread of a chaos run acquires, holds and releases, with the options of one request. */
interface ContendedResource {

    /** What a thread does with what it holds. */
    interface Work {
        /** Takes about this long. Does not have to release the lease. */
        void during(Lease lease, long holdMillis) throws InterruptedException;
    }

    /** Returns the key that the monitor watches while a request waits. */
    String waitsFor();

    Lease acquire() throws InterruptedException;

    Optional<Lease> tryAcquire();

    Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

    CompletableFuture<Lease> acquireAsync();

    /** Releases by token. */
    boolean release(String token);

    Work work();
}
