package io.keyhold;

import io.keyhold.internal.Formats;
import io.keyhold.internal.Preconditions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a {@link LeaderElection} is held. Immutable; an option that is not set has the default that its setter names. */
public final class ElectionOptions {

    /** How long revoked listeners may take before the leadership goes on to the next candidate, if that is not set. */
    public static final Duration DEFAULT_REVOKED_TIMEOUT = Duration.ofSeconds(10);

    private static final ElectionOptions DEFAULTS = builder().build();

    private final @Nullable Duration lease;
    private final Duration revokedTimeout;

    private ElectionOptions(Builder builder) {
        lease = builder.lease;
        revokedTimeout = builder.revokedTimeout;
    }

    /** Returns the defaults: the client's default lease, and ten seconds for revoked listeners. */
    public static ElectionOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts from these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.lease = lease;
        builder.revokedTimeout = revokedTimeout;
        return builder;
    }

    /** Returns how long a leader that has died is still leader to the others; empty for the lease of the client's default options. */
    public Optional<Duration> lease() {
        return Optional.ofNullable(lease);
    }

    /** Returns how long a leader that resigns waits for its revoked listeners before it releases the lock. */
    public Duration revokedTimeout() {
        return revokedTimeout;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ElectionOptions options
                && lease().equals(options.lease())
                && revokedTimeout.equals(options.revokedTimeout);
    }

    @Override
    public int hashCode() {
        return 31 * lease().hashCode() + revokedTimeout.hashCode();
    }

    @Override
    public String toString() {
        return "ElectionOptions[lease=" + (lease == null ? "the client's" : Formats.duration(lease))
                + ", revokedTimeout=" + Formats.duration(revokedTimeout) + "]";
    }

    /** Collects options. Every setter refuses a bad value at once, with the value in the message. */
    public static final class Builder {

        private @Nullable Duration lease;
        private Duration revokedTimeout = DEFAULT_REVOKED_TIMEOUT;

        private Builder() {}

        /**
         * Sets how long a leader that has died is still leader to the others, from 10 ms to 31 days. The leader renews it at a third of its
         * length. Short: its successor is elected soon, but a pause of the process or the network costs the leadership. Default: the
         * lease of the client's default options, 30 s unless they say otherwise.
         */
        public Builder lease(Duration lease) {
            this.lease =
                    Preconditions.within(lease, "lease", Preconditions.SHORTEST_LEASE, Preconditions.LONGEST_LEASE);
            return this;
        }

        /**
         * Sets how long a leader that resigns, or is closed, waits for its revoked listeners before it releases the lock, from 0 to 1 hour. After
         * that the next candidate may be elected while a listener is still at work, and a warning is logged. Default: 10 s.
         */
        public Builder revokedTimeout(Duration timeout) {
            this.revokedTimeout = Preconditions.within(timeout, "revokedTimeout", Duration.ZERO, Duration.ofHours(1));
            return this;
        }

        /** Returns the options. */
        public ElectionOptions build() {
            return new ElectionOptions(this);
        }
    }
}
