package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a request that waits knows of an outage of its store. One that has reached the store before waits the outage out: until
 * its deadline, or, without one, for up to one lease, because by then whatever was held before has ended. One that has
 * never reached the store fails at once: its address may be wrong, which is best told soon.
 *
 * <p>Used by the steps of one request; others read only {@link #failure()}.
 */
final class Outage {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MOST_DOUBLINGS = 5;

    private final KeyholdClock clock;
    private final long longestNanos;
    private boolean reached;
    private int failures;
    private @Nullable Moment since;
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
        failure = cause;
        if (since == null) {
            since = Moment.now(clock);
        }
    }

    /** Takes over what another request of the same key has found out. */
    void inherit(Outage other) {
        reached = other.reached;
        failures = other.failures;
        since = other.since;
        failure = other.failure;
    }

    /** Returns the last failure, if the store has not answered since. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns how much longer the outage is waited out; nothing if the store has never been reached. */
    long leftNanos() {
        Moment began = since;
        if (!reached) {
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
