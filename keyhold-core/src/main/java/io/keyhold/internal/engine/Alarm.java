package io.keyhold.internal.engine;

import io.keyhold.internal.time.Scheduler;
import org.jspecify.annotations.Nullable;

/** The one thing that a request has yet to do at a certain time. Setting it anew forgets what was set before. */
final class Alarm {

    private final Caller caller;
    private final Runnable step;
    private Scheduler.@Nullable Timer timer;

    Alarm(Caller caller, Runnable step) {
        this.caller = caller;
        this.step = step;
    }

    /** Takes the step after this time; what is farther away than a century is never. */
    void ringIn(long nanos) {
        cancel();
        if (nanos < Long.MAX_VALUE / 2) {
            timer = caller.later(nanos, step);
        }
    }

    void cancel() {
        Scheduler.Timer set = timer;
        if (set != null) {
            timer = null;
            set.cancel();
        }
    }
}
