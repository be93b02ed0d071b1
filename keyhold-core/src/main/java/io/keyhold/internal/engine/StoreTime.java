package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the store's clock relates to ours. An answer that tells the store's time was given after its question was sent: so when
 * the store's clock showed {@code micros}, ours showed {@code sent} or later. A grant that the store made {@code d} after that
 * was made, by our clock, no sooner than {@code sent + d}, less what two clocks of different speed may differ by
 * over {@code d}. Counting a lease from there ends it before anyone else could get the lock, however late the message came.
 */
final class StoreTime {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long DRIFT_PERCENT = 1;

    private record Pair(ClockReading sent, long micros) {}

    private final KeyholdClock clock;
    private volatile @Nullable Pair latest;
    private volatile ClockReading forgotten;

    StoreTime(KeyholdClock clock) {
        this.clock = clock;
        this.forgotten = ClockReading.now(clock);
    }

    /** The store's clock showed this after that moment. */
    void learn(ClockReading sent, long micros) {
        if (!sent.isBefore(forgotten)) {
            latest = new Pair(sent, micros);
        }
    }

    /** Another server may answer what is asked from now on, with another clock. */
    void forget() {
        forgotten = ClockReading.now(clock);
        latest = null;
    }

    /** Whether a grant would lose little to the allowance for drift. */
    boolean isFresh() {
        Pair pair = latest;
        return pair != null && pair.sent().nanosSince(clock) < FRESH_NANOS;
    }

    /** How long a grant is certain that the store made at this time of its own; empty if nothing is known of its clock. */
    Optional<Validity> validity(long grantedMicros, long leaseMillis) {
        Pair pair = latest;
        if (pair == null) {
            return Optional.empty();
        }
        long between = TimeUnit.MICROSECONDS.toNanos(grantedMicros - pair.micros());
        long surely = between - Math.abs(between) / 100 * DRIFT_PERCENT;
        // It was not made in the future, whatever the clocks say.
        long passed = Math.min(surely, pair.sent().nanosSince(clock));
        return Optional.of(new Validity(pair.sent().plus(passed), leaseMillis));
    }
}
