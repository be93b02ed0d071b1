package io.keyhold.internal.store.quorum;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How a quorum is asked.
 *
 * @param nodeTimeout how long to wait for one node when others have answered; empty for the default, which depends on the lease
 * @param longestLease no lease is longer than this: so long stays a node out of votes that may have lost its memory
 * @param admitFresh whether nodes that know of no time before may vote at once, when they are first met
 */
public record QuorumSettings(Optional<Duration> nodeTimeout, Duration longestLease, boolean admitFresh) {

    /** A node that takes longer is left out, and its answer counts no more. */
    private static final long LONGEST_TIMEOUT_MILLIS = 50;

    /** A small part of the lease, which runs from before the question. */
    private static final long PART_OF_LEASE = 10;

    /** Nobody waits longer than this for a majority to answer. */
    private static final int TIMEOUTS_OF_PATIENCE = 20;

    Duration timeoutFor(long leaseMillis) {
        return nodeTimeout.orElse(
                Duration.ofMillis(Math.max(1, Math.min(LONGEST_TIMEOUT_MILLIS, leaseMillis / PART_OF_LEASE))));
    }

    /** The same for a client that has not heard of a majority ever. */
    Duration firstPatienceFor(long leaseMillis) {
        return Duration.ofNanos(Math.max(partNanos(leaseMillis), patienceNanos(leaseMillis)));
    }

    /** How long to wait until a majority has answered at all: longer than for one node, but a small part of the lease too. */
    Duration patienceFor(long leaseMillis) {
        return Duration.ofNanos(patienceNanos(leaseMillis));
    }

    /** Plain numbers, because this is part of every request, and the products of durations are made of big decimals. */
    private long patienceNanos(long leaseMillis) {
        long timeout = timeoutFor(leaseMillis).toNanos();
        return Math.max(timeout, Math.min(partNanos(leaseMillis), timeout * TIMEOUTS_OF_PATIENCE));
    }

    private static long partNanos(long leaseMillis) {
        return TimeUnit.MILLISECONDS.toNanos(leaseMillis / PART_OF_LEASE);
    }
}
