package io.keyhold;

/** In which order those who wait for a lock get it. */
public enum Fairness {

    /**
     * Clients take turns, in the order in which they came; within its turn a client passes the lock among its own threads,
     * without asking the server, for as long as {@link LockOptions.Builder#maxLocalPasses} and
     * {@link LockOptions.Builder#maxLocalTime} allow. Many times faster than {@link #STRICT} when several threads of one
     * client want the same lock. The default.
     */
    BATCHED,

    /** Everybody stands in one line at the server, and gets the lock in the order of arrival there. */
    STRICT
}
