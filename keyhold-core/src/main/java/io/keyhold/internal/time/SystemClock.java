package io.keyhold.internal.time;

import io.keyhold.KeyholdClock;

/** The JVM's clocks. */
public enum SystemClock implements KeyholdClock {
    /** The only one. */
    INSTANCE;

    @Override
    public long monotonicNanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
