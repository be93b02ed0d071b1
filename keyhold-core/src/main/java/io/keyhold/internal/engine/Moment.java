package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import java.util.concurrent.TimeUnit;

/**
 * A moment by both clocks. What has passed since is the larger of their two views: a suspended machine stops the monotonic
 * clock, and a clock that is set stops the other.
 */
record Moment(long monotonicNanos, long wallMillis) {

    static Moment now(KeyholdClock clock) {
        return new Moment(clock.monotonicNanos(), clock.wallMillis());
    }

    boolean isBefore(Moment other) {
        return monotonicNanos - other.monotonicNanos < 0;
    }

    /** This much later, or sooner if negative; never later than it says, so that what is counted from it ends in time. */
    Moment plus(long nanos) {
        return new Moment(monotonicNanos + nanos, wallMillis + Math.floorDiv(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
    }

    long nanosSince(KeyholdClock clock) {
        long monotonic = clock.monotonicNanos() - monotonicNanos;
        long wall = TimeUnit.MILLISECONDS.toNanos(clock.wallMillis() - wallMillis);
        return Math.max(monotonic, wall);
    }
}
