package io.keyhold;

import io.keyhold.internal.Formats;
import io.keyhold.internal.Preconditions;
import java.time.Duration;
import java.util.Objects;

/**
 * Whether grants survive a failover. Immutable.
 *
 * <pre>{@code
 * Keyhold keyhold = Keyhold.builder()
 *         .uri("redis-sentinel://s1:26379,s2:26379,s3:26379?master=main")
 *         .durability(Durability.replicas(1).withLongestLease(Duration.ofSeconds(30)))
 *         .build();
 * }</pre>
 *
 * <p>With {@link #replicas(int)}, every grant and every renewal counts only after that many replicas have acknowledged it, and a server that
 * was promoted or restarted, or has lost its data, grants nothing before every lease that its predecessor granted has ended. So no two
 * clients hold the same lock, across failovers too. All clients of a server must have the same durability. Needs scripts, and one server,
 * a master with sentinels, or a cluster, where each shard has replicas of its own; a quorum has its own way.
 */
public final class Durability {

    /** The upper bound of every lease if none is set: 1 minute. */
    public static final Duration DEFAULT_LONGEST_LEASE = QuorumOptions.DEFAULT_LONGEST_LEASE;

    /** How long replicas have to acknowledge a grant if nothing else is set: 1 second. */
    public static final Duration DEFAULT_ACKNOWLEDGE_TIMEOUT = Duration.ofSeconds(1);

    private static final int MOST_REPLICAS = 100;
    private static final Durability NONE = new Durability(0, DEFAULT_LONGEST_LEASE, DEFAULT_ACKNOWLEDGE_TIMEOUT, false);

    private final int replicas;
    private final Duration longestLease;
    private final Duration acknowledgeTimeout;
    private final boolean admitFreshNodes;

    private Durability(int replicas, Duration longestLease, Duration acknowledgeTimeout, boolean admitFreshNodes) {
        this.replicas = replicas;
        this.longestLease = longestLease;
        this.acknowledgeTimeout = acknowledgeTimeout;
        this.admitFreshNodes = admitFreshNodes;
    }

    /**
     * Returns the default: a grant counts as soon as the master has replied, and a failover may lose it.
     *
     * @return no durability
     */
    public static Durability none() {
        return NONE;
    }

    /**
     * Returns a durability for which this many replicas must acknowledge every grant and every renewal. The master and these replicas must
     * be a majority of all servers with the data, in a cluster of those of each shard: with two replicas 1 is enough, with three or four 2.
     *
     * @param replicas from 1 to 100; an absolute number, which does not depend on how many replicas are connected
     * @return the durability
     */
    public static Durability replicas(int replicas) {
        return new Durability(
                Preconditions.within(replicas, "replicas", 1, MOST_REPLICAS),
                DEFAULT_LONGEST_LEASE,
                DEFAULT_ACKNOWLEDGE_TIMEOUT,
                false);
    }

    /**
     * Returns this durability with another upper bound of every lease. A longer lease, or one without expiry, is refused. After a failover or
     * a restart nothing is granted for this long. Must be the same for all clients of a server. Default: 1 minute.
     *
     * @param longest from 1 s to 31 days
     * @return the changed durability
     */
    public Durability withLongestLease(Duration longest) {
        return new Durability(
                replicas,
                Preconditions.within(longest, "longestLease", Duration.ofSeconds(1), Preconditions.LONGEST_LEASE),
                acknowledgeTimeout,
                admitFreshNodes);
    }

    /**
     * Returns this durability with another time for the replicas to acknowledge a grant, after which it is released, and the request
     * fails. Must be shorter than the command timeout. Default: 1 second.
     *
     * @param timeout from 1 ms to 1 minute
     * @return the changed durability
     */
    public Durability withAcknowledgeTimeout(Duration timeout) {
        return new Durability(
                replicas,
                longestLease,
                Preconditions.within(timeout, "acknowledgeTimeout", Duration.ofMillis(1), Duration.ofMinutes(1)),
                admitFreshNodes);
    }

    /**
     * Returns this durability with or without admission of fresh nodes. A fresh node is a server that has no marker of an earlier incarnation
     * and was never promoted; if admitted, it grants at once, the first time this client contacts it. Only for servers that are known to be
     * new: one that has lost its data looks the same, and must not grant before every lease that it may have granted has ended. Default:
     * false; a new server grants nothing for {@link #longestLease()}.
     *
     * @param admit whether to admit them
     * @return the changed durability
     */
    public Durability withAdmitFreshNodes(boolean admit) {
        return new Durability(replicas, longestLease, acknowledgeTimeout, admit);
    }

    /** {@return how many replicas must acknowledge a grant; 0 if none} */
    public int replicas() {
        return replicas;
    }

    /** {@return the upper bound of every lease, for which nothing is granted after a failover} */
    public Duration longestLease() {
        return longestLease;
    }

    /** {@return how long replicas have to acknowledge a grant} */
    public Duration acknowledgeTimeout() {
        return acknowledgeTimeout;
    }

    /** {@return whether servers without a marker grant at once} */
    public boolean admitFreshNodes() {
        return admitFreshNodes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Durability that
                && replicas == that.replicas
                && longestLease.equals(that.longestLease)
                && acknowledgeTimeout.equals(that.acknowledgeTimeout)
                && admitFreshNodes == that.admitFreshNodes;
    }

    @Override
    public int hashCode() {
        return Objects.hash(replicas, longestLease, acknowledgeTimeout, admitFreshNodes);
    }

    @Override
    public String toString() {
        return replicas == 0
                ? "no durability"
                : "durability by " + replicas + (replicas == 1 ? " replica" : " replicas") + " (longestLease "
                        + Formats.duration(longestLease) + ", acknowledgeTimeout "
                        + Formats.duration(acknowledgeTimeout) + (admitFreshNodes ? ", fresh nodes admitted" : "")
                        + ")";
    }
}
