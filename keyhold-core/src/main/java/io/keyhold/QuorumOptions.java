package io.keyhold;

import io.keyhold.internal.Formats;
import io.keyhold.internal.Preconditions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a quorum. Immutable; what is not set has the default that its setter names.
 *
 * <pre>{@code
 * Keyhold keyhold = Keyhold.builder()
 *         .quorum(uris, QuorumOptions.builder().longestLease(Duration.ofSeconds(30)).build())
 *         .build();
 * }</pre>
 *
 * @see KeyholdBuilder#quorum(java.util.Collection, QuorumOptions)
 */
public final class QuorumOptions {

    /** The upper bound of every lease if none is set: 1 minute. */
    public static final Duration DEFAULT_LONGEST_LEASE = Duration.ofMinutes(1);

    private static final QuorumOptions DEFAULTS = new Builder().build();

    private final @Nullable Duration nodeTimeout;
    private final Duration longestLease;
    private final boolean admitFreshNodes;

    private QuorumOptions(Builder builder) {
        nodeTimeout = builder.nodeTimeout;
        longestLease = builder.longestLease;
        admitFreshNodes = builder.admitFreshNodes;
    }

    /** {@return the default options} */
    public static QuorumOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Returns a builder that starts from the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder that starts from these options.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.nodeTimeout = nodeTimeout;
        builder.longestLease = longestLease;
        builder.admitFreshNodes = admitFreshNodes;
        return builder;
    }

    /**
     * Returns how long one node is waited for when the others have replied.
     *
     * @return the time, or empty if it follows from the lease
     */
    public Optional<Duration> nodeTimeout() {
        return Optional.ofNullable(nodeTimeout);
    }

    /**
     * Returns the upper bound of every lease.
     *
     * @return the longest lease; a restarted node does not vote for this long
     */
    public Duration longestLease() {
        return longestLease;
    }

    /**
     * Returns whether nodes without an admission marker may vote immediately.
     *
     * @return whether they may
     */
    public boolean admitFreshNodes() {
        return admitFreshNodes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QuorumOptions options
                && Objects.equals(options.nodeTimeout, nodeTimeout)
                && options.longestLease.equals(longestLease)
                && options.admitFreshNodes == admitFreshNodes;
    }

    @Override
    public int hashCode() {
        return Objects.hash(nodeTimeout, longestLease, admitFreshNodes);
    }

    /** Returns the options for people, such as {@code QuorumOptions[longestLease=60 s, admitFreshNodes=false]}. */
    @Override
    public String toString() {
        return "QuorumOptions["
                + nodeTimeout()
                        .map(timeout -> "nodeTimeout=" + Formats.duration(timeout) + ", ")
                        .orElse("")
                + "longestLease=" + Formats.duration(longestLease) + ", admitFreshNodes=" + admitFreshNodes + "]";
    }

    /**
     * Collects the options of a quorum. Every setter refuses a bad value at once with an {@link IllegalArgumentException} that
     * names the value and the rule, and returns this builder.
     */
    public static final class Builder {

        private @Nullable Duration nodeTimeout;
        private Duration longestLease = DEFAULT_LONGEST_LEASE;
        private boolean admitFreshNodes;

        private Builder() {}

        /**
         * Sets how long one node is waited for when the others have replied. Default: a tenth of the lease, at most 50 ms.
         *
         * @param timeout from 1 ms to 10 s
         * @return this builder
         */
        public Builder nodeTimeout(Duration timeout) {
            this.nodeTimeout =
                    Preconditions.within(timeout, "nodeTimeout", Duration.ofMillis(1), Duration.ofSeconds(10));
            return this;
        }

        /**
         * Sets the upper bound of every lease. A restarted node does not vote for this long. Must be the same for all clients of
         * the quorum. Default: 1 minute.
         *
         * @param longest from 1 s to 31 days
         * @return this builder
         */
        public Builder longestLease(Duration longest) {
            this.longestLease =
                    Preconditions.within(longest, "longestLease", Duration.ofSeconds(1), Preconditions.LONGEST_LEASE);
            return this;
        }

        /**
         * Sets whether nodes without an admission marker may vote immediately the first time this client contacts them, within
         * {@link #longestLease} of the client's first acquire. Only for nodes that are known to be new: one that has lost its
         * data looks the same, and must not vote before every lease that it may have granted has ended. Default: false; they are
         * quarantined for {@link #longestLease}.
         *
         * @param admit whether to admit them
         * @return this builder
         */
        public Builder admitFreshNodes(boolean admit) {
            this.admitFreshNodes = admit;
            return this;
        }

        /** {@return the options} */
        public QuorumOptions build() {
            return new QuorumOptions(this);
        }
    }
}
