package io.keyhold.internal.engine.acquire;

import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a request knows of its store: whether it has ever replied, and the outage, if there is one. A request that has reached the
 * store waits an outage out: until its deadline, or, without one, for up to one lease, because by then every earlier hold has
 * ended. A request that has never reached the store fails at once: its address may be wrong, which is best told soon.
 *
 * <p>Changed by the steps of one request; other requests for the same key read it.
 */
final class StoreContact {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MOST_DOUBLINGS = 5;

    private final KeyholdClock clock;
    private final long longestOutageNanos;
    private final CompletableFuture<Void> firstTry = new CompletableFuture<>();
    private volatile boolean reached;
    private int failures;
    private volatile @Nullable ClockReading since;
    private volatile @Nullable Throwable failure;

    StoreContact(AcquireSpec spec, KeyholdClock clock) {
        this.clock = clock;
        long lease = spec.leaseMillis() == AcquireRequest.NO_EXPIRY
                ? LockOptions.DEFAULT_LEASE.toMillis()
                : spec.leaseMillis();
        this.longestOutageNanos =
                spec.plan().maxWait().isPresent() ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(lease);
    }

    /** Notes a reply of the store, which ends an outage. */
    void replied() {
        reached = true;
        failures = 0;
        since = null;
        failure = null;
    }

    /** Notes a failure of the store, which begins or continues an outage. */
    void failed(Throwable cause) {
        failures++;
        if (since == null) {
            since = ClockReading.now(clock);
        }
        failure = cause;
        reached |= StoreFailure.isMoving(cause) || StoreFailure.isUnacknowledged(cause);
    }

    /** Notes that the first command of the request has had its reply or failure, or that the request is over. */
    void tried() {
        firstTry.complete(null);
    }

    /**
     * Returns what is done at the first {@link #tried()}. Before that nothing is known of the lock, and neither this request nor those behind
     * it in the local queue may report that it is held.
     */
    CompletableFuture<Void> firstTry() {
        return firstTry;
    }

    /** Takes over what another request knows of the same store. An outage began when the first of them met it. */
    void inherit(StoreContact other) {
        reached |= other.reached;
        failures = Math.max(failures, other.failures);
        ClockReading theirs = other.since;
        ClockReading ours = since;
        since = ours == null || (theirs != null && theirs.isBefore(ours)) ? theirs : ours;
        failure = other.failure;
    }

    /** Returns whether the store has ever replied. */
    boolean isReached() {
        return reached;
    }

    /** Returns the last failure, if the store has not replied since. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns how much longer the outage is waited out: not at all if the store was never reached, or the failure will not pass. */
    long outageLeftNanos() {
        ClockReading began = since;
        Throwable cause = failure;
        if (!reached || cause == null || !StoreFailure.isPassing(cause)) {
            return 0;
        }
        return began == null || longestOutageNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : longestOutageNanos - began.nanosSince(clock);
    }

    /** Returns the time until the next attempt: short enough that the end of the outage is noticed within a second. */
    long pauseNanos(RandomGenerator random) {
        long longest = FIRST_PAUSE_NANOS << Math.min(failures - 1, MOST_DOUBLINGS);
        return longest / 2 + random.nextLong(longest / 2 + 1);
    }
}
