package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.Random;

/** Something that comes again and again, after a random time between half an interval and one and a half. */
final class Occasion {

    private final Random random;
    private final long intervalNanos;
    private long next;

    Occasion(Random random, Duration interval) {
        this.random = random;
        this.intervalNanos = interval.toNanos();
        this.next = System.nanoTime() + pause();
    }

    /** Whether it is time; if so, the next is planned. */
    boolean isNow() {
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
