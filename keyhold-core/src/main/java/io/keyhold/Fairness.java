package io.keyhold;

/**
 * In which order waiters get a lock.
 *
 * @see LockOptions.Builder#fairness
 */
public enum Fairness {

    /**
     * Clients take turns, in the order in which they came. Within its turn a client hands the lock over among its own threads,
     * without asking the server, for as long as {@link LockOptions.Builder#maxLocalHandOvers} and
     * {@link LockOptions.Builder#maxLocalTime} allow. Many times faster than {@link #STRICT} when several threads of one
     * client want the same lock. The default.
     */
    BATCHED,

    /** All requests wait in one queue at the server, and get the lock in the order of their arrival there. */
    STRICT
}
