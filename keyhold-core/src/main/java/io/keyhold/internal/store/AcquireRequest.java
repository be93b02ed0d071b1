package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Asks for a lock, for several, or for permits.
 *
 * @param claim for what
 * @param token who asks
 * @param leaseMillis how long the hold lasts; {@link #NO_EXPIRY} if for ever
 * @param ifFree what to do with a lock that nobody holds
 * @param ifBusy what to do when somebody else holds it
 */
public record AcquireRequest(Claim claim, String token, long leaseMillis, IfFree ifFree, IfBusy ifBusy) {

    /** A lease that never ends. */
    public static final long NO_EXPIRY = 0;

    /** What to do with a lock that nobody holds. */
    public enum IfFree {
        /** Take it, unless others have waited for longer: then it becomes theirs. */
        TAKE,
        /** Leave it: only a hold of this token goes on. */
        LEAVE
    }

    /**
     * What to do when somebody else holds the lock.
     *
     * @param place where to wait; empty to go away
     * @param coming whether the place is new
     * @param answer how much to tell
     */
    public record IfBusy(Optional<QueuePlace> place, Coming coming, Answer answer) {

        /** Go away, and tell all. */
        public static final IfBusy GO_AWAY = new IfBusy(Optional.empty(), Coming.FIRST, Answer.FULL);
    }

    /** Whether a waiter may be standing in the queue already. */
    public enum Coming {
        /** It never asked for this place before. */
        FIRST,
        /** It did; if it still stands there, it stays where it is. */
        AGAIN
    }

    /** How much a waiter is told. */
    public enum Answer {
        /** Who holds the lock, and nothing else: cheaper. */
        BRIEF,
        /** Everything; and the queue is kept from expiring. */
        FULL
    }
}
