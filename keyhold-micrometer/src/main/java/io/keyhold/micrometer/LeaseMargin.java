package io.keyhold.micrometer;

import io.micrometer.core.instrument.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The shortest margin of a renewal in the present and the previous minute. The last one alone would hide a narrow escape between two
 * readings.
 */
final class LeaseMargin {

    private static final long WINDOW = TimeUnit.MINUTES.toNanos(1);
    private static final double NO_RENEWAL = Double.NaN;

    private final Clock clock;
    private long windowStart;
    private double current = NO_RENEWAL;
    private double previous = NO_RENEWAL;

    LeaseMargin(Clock clock) {
        this.clock = clock;
        this.windowStart = clock.monotonicTime();
    }

    synchronized void add(Duration margin) {
        advance();
        current = shorter(current, (double) margin.toNanos());
    }

    /** Returns the margin, or NaN if nothing was renewed. */
    synchronized double shortestNanos() {
        advance();
        return shorter(current, previous);
    }

    private void advance() {
        long windows = (clock.monotonicTime() - windowStart) / WINDOW;
        if (windows > 0) {
            previous = windows == 1 ? current : NO_RENEWAL;
            current = NO_RENEWAL;
            windowStart += windows * WINDOW;
        }
    }

    private static double shorter(double one, double other) {
        return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.min(one, other);
    }
}
