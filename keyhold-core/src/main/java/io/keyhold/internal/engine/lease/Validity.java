package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.time.ClockReading;
import java.util.concurrent.TimeUnit;

/**
 * The time for which a hold is certain. The server's lease began after the request was sent, so it ends after {@code sent + lease};
 * counting from the sending, less an allowance for clocks of different speed, ends before any other client could get
 * the lock.
 */
public final class Validity implements BackgroundReleaser.Expiry {

    /** How much the clocks of two machines may differ in speed. */
    public static final long DRIFT_PERCENT = 1;

    private static final long DRIFT_FLOOR_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final ClockReading sent;
    private final long lengthNanos;

    /** Begins when the request for a lease of this length was sent. */
    public Validity(ClockReading sent, long leaseMillis) {
        this.sent = sent;
        long lease = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        this.lengthNanos = leaseMillis == AcquireRequest.NO_EXPIRY
                ? Long.MAX_VALUE
                : lease - lease * DRIFT_PERCENT / 100 - DRIFT_FLOOR_NANOS;
    }

    /** Returns the validity of a lease of this length that began at the same moment: this one if it fits, so that a batch shares it. */
    Validity ofLength(long leaseMillis) {
        Validity other = new Validity(sent, leaseMillis);
        return other.lengthNanos == lengthNanos ? this : other;
    }

    public boolean endless() {
        return lengthNanos == Long.MAX_VALUE;
    }

    @Override
    public long remainingNanos(KeyholdClock clock) {
        return remainingNanos(ClockReading.now(clock));
    }

    long remainingNanos(ClockReading now) {
        return endless() ? Long.MAX_VALUE : lengthNanos - sent.nanosUntil(now);
    }

    long ageNanos(KeyholdClock clock) {
        return sent.nanosSince(clock);
    }

    /** Returns the one that lasts longer: a store never ends a lease sooner than it promised before. */
    Validity later(Validity other, ClockReading now) {
        return remainingNanos(now) >= other.remainingNanos(now) ? this : other;
    }
}
