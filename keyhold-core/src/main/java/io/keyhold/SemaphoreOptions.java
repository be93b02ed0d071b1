package io.keyhold;

import io.keyhold.internal.Preconditions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How many permits a semaphore has, and how they are taken and held. Immutable. */
public final class SemaphoreOptions {

    private final int permits;
    private final boolean joinExisting;
    private final @Nullable Duration lease;
    private final @Nullable Boolean renew;
    private final @Nullable Duration maxWait;
    private final int attempts;
    private final @Nullable Consumer<LeaseLost> onLost;
    private final boolean interruptOnLoss;

    private SemaphoreOptions(Builder builder) {
        permits = builder.permits;
        joinExisting = builder.joinExisting;
        lease = builder.lease;
        renew = builder.renew;
        maxWait = builder.maxWait;
        attempts = builder.attempts;
        onLost = builder.onLost;
        interruptOnLoss = builder.interruptOnLoss;
    }

    /** Starts from the defaults: one permit. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts from these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.permits = permits;
        builder.joinExisting = joinExisting;
        builder.lease = lease;
        builder.renew = renew;
        builder.maxWait = maxWait;
        builder.attempts = attempts;
        builder.onLost = onLost;
        builder.interruptOnLoss = interruptOnLoss;
        return builder;
    }

    /** How many permits there are. */
    public int permits() {
        return permits;
    }

    /** Whether a semaphore with another number of permits is used as it is. */
    public boolean joinsExisting() {
        return joinExisting;
    }

    /** How long a hold lasts without renewal. */
    public Duration lease() {
        return lease != null ? lease : LockOptions.DEFAULT_LEASE;
    }

    /** Whether the lease is renewed while it is held. */
    public boolean isRenewed() {
        return renew != null ? renew : lease == null;
    }

    /** How long an attempt waits; empty if for ever. */
    public Optional<Duration> maxWait() {
        return Optional.ofNullable(maxWait);
    }

    /** How many times {@link #maxWait} is waited. */
    public int attempts() {
        return attempts;
    }

    /** Who is told of a loss. */
    public Optional<Consumer<LeaseLost>> onLost() {
        return Optional.ofNullable(onLost);
    }

    /** Whether a loss interrupts the thread that took the permits. */
    public boolean interruptOnLoss() {
        return interruptOnLoss;
    }

    /** Collects options. Every setter refuses a bad value at once, with the value in the message. */
    public static final class Builder {

        private int permits = 1;
        private boolean joinExisting;
        private @Nullable Duration lease;
        private @Nullable Boolean renew;
        private @Nullable Duration maxWait;
        private int attempts = 1;
        private @Nullable Consumer<LeaseLost> onLost;
        private boolean interruptOnLoss;

        private Builder() {}

        /** How many permits there are, from 1 to 1,000,000,000. Default: 1. */
        public Builder permits(int permits) {
            this.permits = Preconditions.permits(permits);
            return this;
        }

        /**
         * If the semaphore exists with another number of permits, uses it as it is. {@link #permits} is then only for the
         * case that this client is the first. Default: that is an error.
         */
        public Builder joinExisting() {
            this.joinExisting = true;
            return this;
        }

        /**
         * A hold ends this long after it was taken, from 10 ms to 31 days, and is not renewed unless
         * {@link #renew renew(true)} says so. Default: 30 s, renewed.
         */
        public Builder lease(Duration lease) {
            this.lease = Preconditions.permitLease(lease);
            return this;
        }

        /** Whether the lease is renewed, every third of it, while the permits are held. Default: unless it was set. */
        public Builder renew(boolean renew) {
            this.renew = renew;
            return this;
        }

        /** How long each attempt of {@code acquire} waits, from 0 (not at all) to 365 days. Default: for ever. */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = Preconditions.maxWait(maxWait);
            return this;
        }

        /**
         * How many times an acquire waits for {@link #maxWait} (or for the time that a call names) before it gives up, from 1
         * to 1,000,000. Each further attempt asks the server again and keeps its place in the line. Default: 1.
         */
        public Builder attempts(int attempts) {
            this.attempts = Preconditions.attempts(attempts);
            return this;
        }

        /** Told of a loss, on the client's callback executor. Default: nobody but the log. */
        public Builder onLost(Consumer<LeaseLost> listener) {
            this.onLost = Preconditions.given(listener, "listener");
            return this;
        }

        /** As {@link LockOptions.Builder#interruptOnLoss}. Default: no. */
        public Builder interruptOnLoss(boolean interrupt) {
            this.interruptOnLoss = interrupt;
            return this;
        }

        /** The options. */
        public SemaphoreOptions build() {
            return new SemaphoreOptions(this);
        }
    }
}
