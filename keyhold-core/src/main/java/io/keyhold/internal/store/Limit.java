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
     * A read/write lock is a semaphore with this many permits: a reader takes one, a writer all. No user's semaphore has as
     * many, so that the number identifies the kind.
     */
    public static final int READ_WRITE = 1 << 30;

    /** How long a store remembers the number of permits after the last one was released. */
    public static final Duration RETENTION = Duration.ofHours(24);

    /** What to do when the store has another number. */
    public enum IfOther {
        /** Refuse the request. */
        REFUSE,
        /** Use the store's number. */
        JOIN
    }

    /** Returns the limit of a read/write lock. */
    public static Limit readWrite() {
        return new Limit(READ_WRITE, IfOther.REFUSE);
    }
}
