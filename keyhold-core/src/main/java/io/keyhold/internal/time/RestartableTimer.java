package io.keyhold.internal.time;

import org.jspecify.annotations.Nullable;

/** One pending step of an operation. Starting the timer again replaces the step that was pending. */
public final class RestartableTimer {

    private final Caller caller;
    private final Runnable step;
    private Scheduler.@Nullable Timer timer;

    public RestartableTimer(Caller caller, Runnable step) {
        this.caller = caller;
        this.step = step;
    }

    /** Runs the step after this time; a delay of more than a century means never. */
    public void restart(long nanos) {
        cancel();
        if (nanos < Long.MAX_VALUE / 2) {
            timer = caller.later(nanos, step);
        }
    }

    public void cancel() {
        Scheduler.Timer set = timer;
        if (set != null) {
            timer = null;
            set.cancel();
        }
    }
}
