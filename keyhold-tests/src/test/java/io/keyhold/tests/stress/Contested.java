package io.keyhold.tests.stress;

import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One thing that a thread of a chaos run takes, holds and releases, on the terms of one request. */
interface Contested {

    /** What a thread does with what it holds. */
    interface Work {
        /** Takes about so long. Does not have to release the lease. */
        void during(Lease lease, long holdMillis) throws InterruptedException;
    }

    /** The key that the monitor is told of while somebody waits. */
    String waitsFor();

    Lease acquire() throws InterruptedException;

    Optional<Lease> tryAcquire();

    Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

    CompletableFuture<Lease> acquireAsync();

    /** From outside, by a token. */
    boolean release(String token);

    Work work();
}
