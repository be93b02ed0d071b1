package io.keyhold.internal.engine.acquire;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.engine.lease.Validity;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the server's clock relates to ours. A reply with the server's time was made after its request was sent: so when
 * the server's clock showed {@code micros}, ours showed {@code sent} or later. A grant that the server made {@code d} after that
 * was made, by our clock, no sooner than {@code sent + d}, less what two clocks of different speed may differ by
 * over {@code d}. A lease that counts from there ends before another client could get the lock, however late the message came.
 */
final class ServerClock {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private record Pair(ClockReading sent, long micros) {}

    private final KeyholdClock clock;
    private volatile @Nullable Pair latest;
    private volatile ClockReading forgotten;

    ServerClock(KeyholdClock clock) {
        this.clock = clock;
        this.forgotten = ClockReading.now(clock);
    }

    /** Notes that the server's clock showed this time after that moment. */
    void learn(ClockReading sent, long micros) {
        if (!sent.isBefore(forgotten)) {
            latest = new Pair(sent, micros);
        }
    }

    /** Forgets everything: another server, with another clock, may reply from now on. */
    void forget() {
        forgotten = ClockReading.now(clock);
        latest = null;
    }

    /** Returns whether a grant would lose little to the allowance for drift. */
    boolean isFresh() {
        Pair pair = latest;
        return pair != null && pair.sent().nanosSince(clock) < FRESH_NANOS;
    }

    /** Returns how long a grant is certain that the server made at this time of its clock; empty if nothing is known of that clock. */
    Optional<Validity> validity(long grantedMicros, long leaseMillis) {
        Pair pair = latest;
        if (pair == null) {
            return Optional.empty();
        }
        long between = TimeUnit.MICROSECONDS.toNanos(grantedMicros - pair.micros());
        long surely = between - Math.abs(between) / 100 * Validity.DRIFT_PERCENT;
        // No grant is made in the future; the clocks may be wrong.
        long passed = Math.min(surely, pair.sent().nanosSince(clock));
        return Optional.of(new Validity(pair.sent().plus(passed), leaseMillis));
    }
}
