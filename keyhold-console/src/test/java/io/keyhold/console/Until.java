package io.keyhold.console;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for a state that comes by itself. */
final class Until {

    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(2);

    private Until() {}

    /** Reads a value again and again until it is right, and returns it. */
    static <T> T matches(Supplier<T> question, Predicate<T> right) {
        long end = System.nanoTime() + LIMIT_NANOS;
        T value = question.get();
        while (!right.test(value)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("did not happen; last seen: " + value);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            value = question.get();
        }
        return value;
    }
}
