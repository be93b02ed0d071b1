package io.keyhold.internal.time;

/** Runs things later. Tasks are short and never block. */
@FunctionalInterface
public interface Scheduler extends AutoCloseable {

    /** Runs the task once, this many nanoseconds from now or as soon as possible after. */
    Timer schedule(long delayNanos, Runnable task);

    /** Keeps all tasks from running that have not begun to. */
    @Override
    default void close() {}

    /** A task that was scheduled. */
    interface Timer {

        /** Keeps the task from running, unless it has begun to. */
        void cancel();
    }
}
