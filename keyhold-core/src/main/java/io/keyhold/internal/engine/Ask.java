package io.keyhold.internal.engine;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import java.time.Duration;

/**
 * What a user asks for.
 *
 * @param subject what
 * @param options how to hold it
 * @param plan how to wait for it
 */
public record Ask(Subject subject, LockOptions options, WaitPlan plan) {

    /** For a lock. */
    public Ask(LockKey key, LockOptions options, WaitPlan plan) {
        this(Subject.lock(key), options, plan);
    }

    long leaseMillis() {
        return options.lease().map(Duration::toMillis).orElse(AcquireRequest.NO_EXPIRY);
    }

    Grant.Origin origin() {
        return options.token().isEmpty() ? Grant.Origin.OURS : Grant.Origin.CALLERS;
    }

    /** Whether to wait for a turn. Not with a token of the caller's: what may be in use elsewhere is not withdrawn. */
    boolean queues() {
        return plan.queues() && origin() == Grant.Origin.OURS;
    }

    /** Whether this is for a lock that may be passed to and from others of this client. */
    boolean isGated() {
        return queues() && options.fairness() == Fairness.BATCHED && subject.claim() instanceof Claim.Lock;
    }

    AcquireRequest request(String token, AcquireRequest.IfBusy ifBusy) {
        return new AcquireRequest(subject.claim(), token, leaseMillis(), AcquireRequest.IfFree.TAKE, ifBusy);
    }

    AcquireRequest adoption(String token) {
        return new AcquireRequest(
                subject.claim(), token, leaseMillis(), AcquireRequest.IfFree.LEAVE, AcquireRequest.IfBusy.GO_AWAY);
    }
}
