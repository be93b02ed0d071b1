package io.keyhold.internal.engine;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.store.AcquireRequest;
import java.time.Duration;

/**
 * What a user asks for.
 *
 * @param key the lock
 * @param options how to hold it
 * @param plan how to wait for it
 */
public record Ask(LockKey key, LockOptions options, WaitPlan plan) {

    long leaseMillis() {
        return options.lease().map(Duration::toMillis).orElse(AcquireRequest.NO_EXPIRY);
    }

    /** Whether to wait for a turn. Not with a token of the caller's: what may be in use elsewhere is not withdrawn. */
    boolean queues() {
        return plan.queues() && options.token().isEmpty();
    }

    /** Whether the lock may be passed to and from others of this client. */
    boolean isGated() {
        return queues() && options.fairness() == Fairness.BATCHED;
    }

    AcquireRequest request(String token, AcquireRequest.IfBusy ifBusy) {
        return new AcquireRequest(key.stored(), token, leaseMillis(), AcquireRequest.IfFree.TAKE, ifBusy);
    }

    AcquireRequest adoption(String token) {
        return new AcquireRequest(
                key.stored(), token, leaseMillis(), AcquireRequest.IfFree.LEAVE, AcquireRequest.IfBusy.GO_AWAY);
    }
}
