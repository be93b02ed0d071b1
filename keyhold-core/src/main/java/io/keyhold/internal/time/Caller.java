package io.keyhold.internal.time;

import io.keyhold.spi.CallMode;

/** Decides where the steps of one operation run: on the thread that waits for it, or on the thread that completes the step before. */
public interface Caller {

    /** Returns how the driver should do its work for this caller. */
    CallMode mode();

    /** Runs a step of the operation, now or soon. */
    void execute(Runnable step);

    /** Runs a step of the operation later. An operation has at most one such step at a time. */
    Scheduler.Timer later(long delayNanos, Runnable step);
}
