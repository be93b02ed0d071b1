package io.keyhold.internal.engine.lease;

import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a lease begins with.
 *
 * @param subject what is held
 * @param options how it is held
 * @param hold the token and the fencing token
 * @param attempts how many attempts it took
 * @param validity how long the hold is certain
 * @param owner the thread that acquired it, if it belongs to a thread
 * @param origin where the token comes from
 * @param headOfLocalQueue whether other requests of this client may wait behind it
 */
public record Grant(
        Subject subject,
        LockOptions options,
        CohortHold hold,
        int attempts,
        Validity validity,
        @Nullable Thread owner,
        Origin origin,
        boolean headOfLocalQueue) {

    /** Where a token comes from. Only a token of ours is certain to be used for one hold, and may be released in the background. */
    public enum Origin {
        OURS,
        CALLERS,
        ADOPTED
    }

    /** Returns the length of a lease with these options in milliseconds, {@link AcquireRequest#NO_EXPIRY} if it has no expiry. */
    public static long leaseMillis(LockOptions options) {
        return options.lease().map(Duration::toMillis).orElse(AcquireRequest.NO_EXPIRY);
    }
}
