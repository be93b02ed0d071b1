package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a request that waits knows of an outage of its store. One that has reached the store before waits the outage out: until
 * its deadline, or, without one, for up to one lease, because by then whatever was held before has ended. One that has
 * never reached the store fails at once: its address may be wrong, which is best told soon.
 *
 * <p>Changed by the steps of one request; others of the same key read whether the store was reached, and the failure.
 */
final class Outage {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MOST_DOUBLINGS = 5;

    private final KeyholdClock clock;
    private final long longestNanos;
    private volatile boolean reached;
    private int failures;
    private volatile @Nullable ClockReading since;
    private volatile @Nullable Throwable failure;

    Outage(Ask ask, KeyholdClock clock) {
        this.clock = clock;
        long lease = ask.leaseMillis() == AcquireRequest.NO_EXPIRY
                ? LockOptions.DEFAULT_LEASE.toMillis()
                : ask.leaseMillis();
        this.longestNanos = ask.plan().maxWait().isPresent() ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(lease);
    }

    /** The store has answered. */
    void ends() {
        reached = true;
        failures = 0;
        since = null;
        failure = null;
    }

    /** The store has failed, perhaps once more. */
    void goesOn(Throwable cause) {
        failures++;
        if (since == null) {
            since = ClockReading.now(clock);
        }
        failure = cause;
    }

    /** Takes over what another request has found out about the same store; an outage began when either of them met it. */
    void inherit(Outage other) {
        reached |= other.reached;
        failures = Math.max(failures, other.failures);
        ClockReading theirs = other.since;
        ClockReading ours = since;
        since = ours == null || (theirs != null && theirs.isBefore(ours)) ? theirs : ours;
        failure = other.failure;
    }

    /** Returns whether the store has ever answered. */
    boolean isReached() {
        return reached;
    }

    /** Returns the last failure, if the store has not answered since. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns how much longer the outage is waited out: not at all if the store was never reached, or will not return. */
    long leftNanos() {
        ClockReading began = since;
        Throwable cause = failure;
        if (!reached || cause == null || !StoreFailure.isPassing(cause)) {
            return 0;
        }
        return began == null || longestNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : longestNanos - began.nanosSince(clock);
    }

    /** Returns the time until the next attempt: short enough that a store that is back is noticed within a second. */
    long pauseNanos(RandomGenerator random) {
        long longest = FIRST_PAUSE_NANOS << Math.min(failures - 1, MOST_DOUBLINGS);
        return longest / 2 + random.nextLong(longest / 2 + 1);
    }
}
