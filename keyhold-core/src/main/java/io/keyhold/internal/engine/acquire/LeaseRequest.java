package io.keyhold.internal.engine.acquire;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.internal.engine.lease.HeldLease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A request for a lease, from its start to its outcome: a lease, nothing (out of time or attempts), or a failure. */
public interface LeaseRequest {

    /** Starts it. With a blocking caller, the first attempt has been made when this returns. */
    void start();

    /** Returns the outcome. The first completion decides; a lease that comes second is released. */
    CompletableFuture<Optional<HeldLease>> outcome();

    /** Completes when the outcome is decided, no command is in flight, and nothing that is known of is left on the server. */
    CompletableFuture<Void> settled();

    /** Gives up, unless the outcome is decided. What is granted all the same is released. */
    void withdraw();

    /** Ends with this failure, unless the outcome is decided. */
    void fail(RuntimeException failure);

    /** Returns the exception for a user who got no lease in time. */
    AcquireTimeoutException timeout();
}
