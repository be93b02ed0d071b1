package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Requests the vote of a node of a quorum.
 *
 * @param claim one lock or several
 * @param token the token that is to hold it
 * @param leaseMillis how long the hold lasts
 * @param ifFree what to do with a lock that is free
 * @param place the queue entry by which the client is notified of a release; empty not to wait
 * @param proposal the proposed fencing token
 * @param admission when a node may vote that has lost its data
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
     * When a restarted node, which may have lost what it granted, may vote.
     *
     * @param longestLeaseMillis after this time, because every lease is over then
     * @param ifFresh what to do with a node that has no marker of an earlier incarnation
     */
    public record Admission(long longestLeaseMillis, IfFresh ifFresh) {}

    /** What to do with a node that has no marker of an earlier incarnation. */
    public enum IfFresh {
        /** Wait, as for any other: it may have lost its data. */
        WAIT,
        /** Let it vote: it is known to be new. */
        ADMIT
    }
}
