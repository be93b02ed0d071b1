package io.keyhold;

import io.keyhold.internal.time.SystemClock;

/**
 * Two views of time. A lease ends by the one by which more of it has passed: the monotonic clock stops while
 * the machine is suspended, and the wall clock can be set back.
 *
 * @see KeyholdBuilder#clock
 */
public interface KeyholdClock {

    /**
     * Returns the nanoseconds since some fixed moment; never steps back.
     *
     * @return nanoseconds, as {@link System#nanoTime()}
     */
    long monotonicNanos();

    /**
     * Returns the milliseconds since 1970 by the machine's clock.
     *
     * @return milliseconds, as {@link System#currentTimeMillis()}
     */
    long wallMillis();

    /**
     * Returns the JVM's clocks.
     *
     * @return the system clock
     */
    static KeyholdClock system() {
        return SystemClock.INSTANCE;
    }
}
