package io.keyhold.internal.store.quorum;

/** Runs things later. */
@FunctionalInterface
public interface Timers {

    /** Runs the task after this time; the answer keeps it from running, unless it has begun to. */
    Runnable after(long delayNanos, Runnable task);
}
