package io.keyhold.internal.store;

import java.time.Duration;

/**
 * How many permits a semaphore has.
 *
 * @param permits how many
 * @param ifOther what to do when the store knows of another number
 */
public record Limit(int permits, IfOther ifOther) {

    /**
     * A read/write lock is a semaphore of so many permits: a reader takes one, a writer all. No user's semaphore has as many,
     * so that the number tells what it is.
     */
    public static final int READ_WRITE = 1 << 30;

    /** How long a store knows the number of permits after the last one was given back. */
    public static final Duration RETENTION = Duration.ofHours(24);

    /** What to do when the store knows of another number. */
    public enum IfOther {
        /** Be refused. */
        REFUSE,
        /** Go by the store's. */
        JOIN
    }

    /** Of a read/write lock. */
    public static Limit readWrite() {
        return new Limit(READ_WRITE, IfOther.REFUSE);
    }
}
