package io.keyhold.internal.engine.acquire;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;

/**
 * The parameters of an acquire.
 *
 * @param subject what to acquire
 * @param options how to hold it
 * @param plan how to wait for it
 */
public record AcquireSpec(Subject subject, LockOptions options, WaitPlan plan) {

    /** The parameters for a lock. */
    public AcquireSpec(LockKey key, LockOptions options, WaitPlan plan) {
        this(Subject.lock(key), options, plan);
    }

    public long leaseMillis() {
        return HeldLease.leaseMillis(options);
    }

    /** Returns whether the token is Keyhold's own: one that the user chose may be in use elsewhere, and is never released unasked. */
    boolean isTokenOurs() {
        return options.token().isEmpty();
    }

    /** Returns whether to wait in a queue. Not with a token of the user's, which could not be withdrawn. */
    boolean queues() {
        return plan.queues() && isTokenOurs();
    }

    /** Returns whether the lock may be handed over to and from other requests of this client. */
    boolean usesLocalQueue() {
        return queues() && options.fairness() == Fairness.BATCHED && subject.claim() instanceof Claim.Lock;
    }

    AcquireRequest request(String token, AcquireRequest.IfBusy ifBusy) {
        return new AcquireRequest(subject.claim(), token, leaseMillis(), AcquireRequest.IfFree.TAKE, ifBusy);
    }

    /** Returns the request that continues a hold of this token, and acquires nothing. */
    public AcquireRequest adoption(String token) {
        return new AcquireRequest(
                subject.claim(), token, leaseMillis(), AcquireRequest.IfFree.LEAVE, AcquireRequest.IfBusy.GO_AWAY);
    }
}
