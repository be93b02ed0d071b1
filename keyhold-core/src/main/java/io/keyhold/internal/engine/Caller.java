package io.keyhold.internal.engine;

import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;

/** Where the steps of one operation run: on the thread that waits for it, or wherever they come to be. */
interface Caller {

    /** How the driver should do its work for this caller. */
    CallMode mode();

    /** Runs a step of the operation, now or soon. */
    void execute(Runnable step);

    /** Runs a step of the operation later. An operation has at most one such step at a time. */
    Scheduler.Timer later(long delayNanos, Runnable step);
}
