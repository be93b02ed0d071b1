package io.keyhold.internal.time;

import io.keyhold.KeyholdClock;
import java.util.concurrent.TimeUnit;

/**
 * A moment by both clocks. What has passed since is the larger of their two views: a suspended machine stops the monotonic
 * clock, and a clock that is set stops the other.
 */
public record ClockReading(long monotonicNanos, long wallMillis) {

    public static ClockReading now(KeyholdClock clock) {
        return new ClockReading(clock.monotonicNanos(), clock.wallMillis());
    }

    public boolean isBefore(ClockReading other) {
        return monotonicNanos - other.monotonicNanos < 0;
    }

    /** This much later, or sooner if negative; never later than it says, so that what is counted from it ends in time. */
    public ClockReading plus(long nanos) {
        return new ClockReading(
                monotonicNanos + nanos, wallMillis + Math.floorDiv(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
    }

    public long nanosSince(KeyholdClock clock) {
        return nanosUntil(now(clock));
    }

    public long nanosUntil(ClockReading later) {
        long monotonic = later.monotonicNanos - monotonicNanos;
        long wall = TimeUnit.MILLISECONDS.toNanos(later.wallMillis - wallMillis);
        return Math.max(monotonic, wall);
    }
}
