package io.keyhold.internal.engine;

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
