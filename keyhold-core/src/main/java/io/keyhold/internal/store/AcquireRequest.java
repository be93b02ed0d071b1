package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Asks for a lock, for several, or for permits.
 *
 * @param claim for what
 * @param token the token that will hold it
 * @param leaseMillis how long the hold lasts; {@link #NO_EXPIRY} if without end
 * @param ifFree what to do with a free lock
 * @param ifBusy what to do when another token holds it
 */
public record AcquireRequest(Claim claim, String token, long leaseMillis, IfFree ifFree, IfBusy ifBusy) {

    /** A lease that never ends. */
    public static final long NO_EXPIRY = 0;

    /** What to do with a free lock. */
    public enum IfFree {
        /** Take it, unless others have waited for longer: then it is handed over to the first of them. */
        TAKE,
        /** Leave it: only a hold of this token goes on. */
        LEAVE
    }

    /**
     * What to do when another token holds the lock.
     *
     * @param place where to wait; empty to go away
     * @param coming whether the place is new
     * @param detail how much the reply says
     */
    public record IfBusy(Optional<QueuePlace> place, Coming coming, Detail detail) {

        /** Go away, and tell all. */
        public static final IfBusy GO_AWAY = new IfBusy(Optional.empty(), Coming.FIRST, Detail.FULL);
    }

    /** Whether a waiter may be in the queue already. */
    public enum Coming {
        /** It never asked for this place before. */
        FIRST,
        /** It did; if it is still in the queue, it stays where it is. */
        AGAIN
    }

    /** How much the reply tells a waiter. */
    public enum Detail {
        /** Only the holder: cheaper. */
        BRIEF,
        /** Everything; and the queue is kept from expiring. */
        FULL
    }
}
