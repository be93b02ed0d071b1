package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.VoteRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a quorum.
 *
 * @param nodeTimeout how long to wait for one node when others have replied; empty for the default, which depends on the lease
 * @param longestLease upper bound of every lease; a node that may have lost its data does not vote for this long
 * @param admitFresh whether nodes without a marker may vote at once, when they are first contacted
 */
public record QuorumSettings(Optional<Duration> nodeTimeout, Duration longestLease, boolean admitFresh) {

    /** A node that takes longer is left out, and its reply does not count. */
    private static final long LONGEST_TIMEOUT_MILLIS = 50;

    /** A small part of the lease, which counts from before the request. */
    private static final long PART_OF_LEASE = 10;

    /** No request waits longer than this for a majority to reply. */
    private static final int TIMEOUTS_OF_MAJORITY = 20;

    VoteRequest.Admission admission(VoteRequest.IfFresh ifFresh) {
        return new VoteRequest.Admission(longestLease.toMillis(), ifFresh);
    }

    Duration timeoutFor(long leaseMillis) {
        return nodeTimeout.orElse(
                Duration.ofMillis(Math.max(1, Math.min(LONGEST_TIMEOUT_MILLIS, leaseMillis / PART_OF_LEASE))));
    }

    /** The same as {@link #majorityTimeoutFor} for a client that has never had a majority of replies. */
    Duration firstMajorityTimeoutFor(long leaseMillis) {
        return Duration.ofNanos(Math.max(partNanos(leaseMillis), majorityNanos(leaseMillis)));
    }

    /** Returns how long to wait until a majority has replied: longer than for one node, but a small part of the lease too. */
    Duration majorityTimeoutFor(long leaseMillis) {
        return Duration.ofNanos(majorityNanos(leaseMillis));
    }

    /** Plain numbers, because this is part of every request, and the products of durations are made of big decimals. */
    private long majorityNanos(long leaseMillis) {
        long timeout = timeoutFor(leaseMillis).toNanos();
        return Math.max(timeout, Math.min(partNanos(leaseMillis), timeout * TIMEOUTS_OF_MAJORITY));
    }

    private static long partNanos(long leaseMillis) {
        return TimeUnit.MILLISECONDS.toNanos(leaseMillis / PART_OF_LEASE);
    }
}
