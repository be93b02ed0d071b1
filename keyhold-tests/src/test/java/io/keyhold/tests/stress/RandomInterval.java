package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.Random;

/** A repeated event, after a random time between half an interval and one and a half. */
final class RandomInterval {

    private final Random random;
    private final long intervalNanos;
    private long next;

    RandomInterval(Random random, Duration interval) {
        this.random = random;
        this.intervalNanos = interval.toNanos();
        this.next = System.nanoTime() + pause();
    }

    /** Returns whether the event is due; if so, plans the next. */
    boolean isDue() {
        long now = System.nanoTime();
        if (now - next < 0) {
            return false;
        }
        next = now + pause();
        return true;
    }

    private long pause() {
        return intervalNanos / 2 + random.nextLong(intervalNanos);
    }
}
