package io.keyhold;

import io.keyhold.internal.time.SystemClock;

/**
 * Two views of time. A lease ends by whichever says that more of it has passed: the monotonic clock stands still while
 * the machine is suspended, and the wall clock can be set back.
 */
public interface KeyholdClock {

    /** Nanoseconds since some fixed moment; never steps back. */
    long monotonicNanos();

    /** Milliseconds since 1970 by the machine's clock. */
    long wallMillis();

    /** The JVM's clocks. */
    static KeyholdClock system() {
        return SystemClock.INSTANCE;
    }
}
