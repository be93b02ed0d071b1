package io.keyhold.internal.engine;

import io.keyhold.AcquireTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A request for a lease, from its start to its outcome: a lease, nothing (time or attempts are spent), or a failure. */
interface LeaseRequest {

    /** Begins; with a blocking caller, the first attempt has been made then. */
    void start();

    /** What came of it. Whoever completes it first decides; a lease that comes second is released. */
    CompletableFuture<Optional<HeldLease>> outcome();

    /** Done when there is an outcome, no command is under way, and nothing is left behind that is known of. */
    CompletableFuture<Void> settled();

    /** Gives up, unless the outcome is there. What is granted all the same is released. */
    void withdraw();

    /** Ends with this failure, unless the outcome is there. */
    void fail(RuntimeException failure);

    /** What to tell a user who wanted a lease and got none in time. */
    AcquireTimeoutException timeout();
}
