package io.keyhold.junit;

import io.keyhold.KeyholdClock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock of the clients of a test. It runs as the JVM's does, and the test moves it on: {@code advance(Duration.ofSeconds(30))} is what a client
 * sees of a machine that was suspended for half a minute. Leases that end in that time are over at once.
 *
 * <p>Timers run by the JVM's clock: a request that waits, and a renewal that is due, do not come sooner.
 */
public final class TestClock implements KeyholdClock {

    private final KeyholdClock system = KeyholdClock.system();
    private final AtomicLong ahead = new AtomicLong();

    /** Creates a clock that shows the time of the JVM. */
    public TestClock() {}

    /**
     * Moves the clock on.
     *
     * @param duration by how much; not negative
     */
    public void advance(Duration duration) {
        Objects.requireNonNull(duration, "duration must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration must not be negative, was " + duration);
        }
        ahead.addAndGet(duration.toNanos());
    }

    @Override
    public long monotonicNanos() {
        return system.monotonicNanos() + ahead.get();
    }

    @Override
    public long wallMillis() {
        return system.wallMillis() + Duration.ofNanos(ahead.get()).toMillis();
    }
}
