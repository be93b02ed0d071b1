package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Asks a node of a quorum for its vote.
 *
 * @param claim for what: one lock or several
 * @param token who asks
 * @param leaseMillis how long the hold lasts
 * @param ifFree what to do with a lock that nobody holds
 * @param place where to wait to be told that the lock was given up; empty to go away
 * @param proposal the fencing token that is proposed
 * @param admission when a node may vote that has lost its memory
 */
public record VoteRequest(
        Claim claim,
        String token,
        long leaseMillis,
        AcquireRequest.IfFree ifFree,
        Optional<QueuePlace> place,
        long proposal,
        Admission admission) {

    /**
     * When a node may vote that was started anew, and may have forgotten what it granted.
     *
     * @param longestLeaseMillis after so long, because every lease is over then
     * @param ifFresh what to do with a node that knows of no time before
     */
    public record Admission(long longestLeaseMillis, IfFresh ifFresh) {}

    /** What to do with a node that knows of no time before. */
    public enum IfFresh {
        /** Wait, as with any other: it may have lost its memory. */
        WAIT,
        /** Let it vote: somebody knows that it is new. */
        ADMIT
    }
}
