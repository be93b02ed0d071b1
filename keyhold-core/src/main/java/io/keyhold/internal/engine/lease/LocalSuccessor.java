package io.keyhold.internal.engine.lease;

import io.keyhold.LockOptions;
import org.jspecify.annotations.Nullable;

/** The next request in the local queue of a key, as seen by the lease ahead of it. Exactly one of the methods is its promotion. */
public interface LocalSuccessor {

    LockOptions options();

    /** Promotes it with the lock, which stays the client's on the server. */
    void take(CohortHold hold, Validity validity);

    /** Announces {@link #promote}, which follows when the release that is in flight has its reply. */
    void awaitRelease();

    /** Promotes it without the lock, so that it asks the store; with the failure, if the release ahead of it has failed. */
    void promote(@Nullable Throwable failedRelease);
}
