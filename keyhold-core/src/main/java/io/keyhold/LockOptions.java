package io.keyhold;

import io.keyhold.internal.Preconditions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a lock is taken and held. Immutable; whatever is not set has the default that its setter names. */
public final class LockOptions {

    /** The lease of a lock that sets none. It is renewed every third of this while the lock is held. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** Between two attempts, if a number of retries is set without an interval. */
    public static final Duration DEFAULT_RETRY_INTERVAL = Duration.ofMillis(10);

    /** How often a client passes a lock among its threads before others get their turn, if that is not set. */
    public static final int DEFAULT_MAX_LOCAL_PASSES = 63;

    /** For how long a client passes a lock among its threads before others get their turn, if that is not set. */
    public static final Duration DEFAULT_MAX_LOCAL_TIME = Duration.ofMillis(50);

    private static final LockOptions DEFAULTS = new Builder().build();

    private final @Nullable Duration lease;
    private final boolean expires;
    private final @Nullable Boolean renew;
    private final @Nullable Integer retries;
    private final @Nullable Duration retryInterval;
    private final @Nullable Duration maxWait;
    private final @Nullable String token;
    private final Fairness fairness;
    private final int maxLocalPasses;
    private final Duration maxLocalTime;
    private final @Nullable Consumer<LeaseLost> onLost;
    private final boolean interruptOnLoss;

    private LockOptions(Builder builder) {
        lease = builder.lease;
        expires = builder.expires;
        renew = builder.renew;
        retries = builder.retries;
        retryInterval = builder.retryInterval;
        maxWait = builder.maxWait;
        token = builder.token;
        fairness = builder.fairness;
        maxLocalPasses = builder.maxLocalPasses;
        maxLocalTime = builder.maxLocalTime;
        onLost = builder.onLost;
        interruptOnLoss = builder.interruptOnLoss;
    }

    /** A lease of 30 seconds, renewed while held; waits for ever. */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts from these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.lease = lease;
        builder.expires = expires;
        builder.renew = renew;
        builder.retries = retries;
        builder.retryInterval = retryInterval;
        builder.maxWait = maxWait;
        builder.token = token;
        builder.fairness = fairness;
        builder.maxLocalPasses = maxLocalPasses;
        builder.maxLocalTime = maxLocalTime;
        builder.onLost = onLost;
        builder.interruptOnLoss = interruptOnLoss;
        return builder;
    }

    /** How long a hold lasts without renewal; empty if it never expires. */
    public Optional<Duration> lease() {
        return expires ? Optional.of(lease != null ? lease : DEFAULT_LEASE) : Optional.empty();
    }

    /** Whether the lease is renewed while it is held. */
    public boolean isRenewed() {
        return expires && (renew != null ? renew : lease == null);
    }

    /** How many times a failed attempt is repeated; empty if that is not limited. */
    public OptionalInt retries() {
        return retries != null ? OptionalInt.of(retries) : OptionalInt.empty();
    }

    /** The time between two attempts, if attempts are repeated by polling at a fixed interval. */
    public Optional<Duration> retryInterval() {
        if (retryInterval != null) {
            return Optional.of(retryInterval);
        }
        return retries != null ? Optional.of(DEFAULT_RETRY_INTERVAL) : Optional.empty();
    }

    /** How long {@link DistributedLock#acquire()} waits; empty if for ever. */
    public Optional<Duration> maxWait() {
        return Optional.ofNullable(maxWait);
    }

    /** The caller's own token, if there is one. */
    public Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /** In which order those who wait get the lock. */
    public Fairness fairness() {
        return fairness;
    }

    /** How often a client passes the lock among its threads before others get their turn. */
    public int maxLocalPasses() {
        return maxLocalPasses;
    }

    /** For how long a client passes the lock among its threads before others get their turn. */
    public Duration maxLocalTime() {
        return maxLocalTime;
    }

    /** Who is told of a loss. */
    public Optional<Consumer<LeaseLost>> onLost() {
        return Optional.ofNullable(onLost);
    }

    /** Whether a loss interrupts the thread that took the lock. */
    public boolean interruptOnLoss() {
        return interruptOnLoss;
    }

    /** Collects options. Every setter refuses a bad value at once, with the value in the message. */
    public static final class Builder {

        private @Nullable Duration lease;
        private boolean expires = true;
        private @Nullable Boolean renew;
        private @Nullable Integer retries;
        private @Nullable Duration retryInterval;
        private @Nullable Duration maxWait;
        private @Nullable String token;
        private Fairness fairness = Fairness.BATCHED;
        private int maxLocalPasses = DEFAULT_MAX_LOCAL_PASSES;
        private Duration maxLocalTime = DEFAULT_MAX_LOCAL_TIME;
        private @Nullable Consumer<LeaseLost> onLost;
        private boolean interruptOnLoss;

        private Builder() {}

        /**
         * A hold ends this long after it was taken, from 10 ms to 31 days, and is not renewed unless
         * {@link #renew renew(true)} says so. Short: a dead holder's lock is free soon, but a pause of the process or
         * the network loses it. Long: the reverse. Default: 30 s, renewed.
         */
        public Builder lease(Duration lease) {
            this.lease = Preconditions.lease(lease);
            this.expires = true;
            return this;
        }

        /** Whether the lease is renewed, every third of it, while the lock is held. Default: unless it was set. */
        public Builder renew(boolean renew) {
            this.renew = renew;
            return this;
        }

        /**
         * The lock never expires. Unwise: if the holder dies, the key stays locked until somebody releases it by hand.
         * Whether it is still held is checked as often as a default lease is renewed.
         */
        public Builder noExpiry() {
            this.lease = null;
            this.expires = false;
            return this;
        }

        /**
         * Asks again at most this many times (0 to 1,000,000) after the first attempt failed, by polling, instead of
         * waiting. Default: waits for as long as {@link #maxWait} says.
         */
        public Builder retries(int retries) {
            this.retries = Preconditions.retries(retries);
            return this;
        }

        /** The time between two attempts when polling, from 0 to 1 day. Default: 10 ms. */
        public Builder retryInterval(Duration interval) {
            this.retryInterval = Preconditions.retryInterval(interval);
            return this;
        }

        /** How long {@link DistributedLock#acquire()} waits, from 0 (one attempt) to 365 days. Default: for ever. */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = Preconditions.maxWait(maxWait);
            return this;
        }

        /**
         * The caller's own token instead of a fresh one, 1 to 512 characters without control characters. Whoever has the
         * token is the holder: asking again with it, from any process, is granted. It should be unique to one
         * hold, because a late release of an earlier hold with the same token would release the next.
         */
        public Builder token(String token) {
            this.token = Preconditions.token(token);
            return this;
        }

        /** In which order those who wait get the lock. Default: {@link Fairness#BATCHED}. */
        public Builder fairness(Fairness fairness) {
            this.fairness = Preconditions.given(fairness, "fairness");
            return this;
        }

        /**
         * How often, with {@link Fairness#BATCHED}, a client passes the lock among its own threads before other clients get
         * their turn: from 0 (never) to 63. Default: 63.
         */
        public Builder maxLocalPasses(int passes) {
            this.maxLocalPasses = Preconditions.maxLocalPasses(passes);
            return this;
        }

        /**
         * For how long, with {@link Fairness#BATCHED}, a client passes the lock among its own threads before other clients
         * get their turn: from 0 to 1 minute. A pass that begins within this time is the last; the hold that it gives
         * may take longer. Default: 50 ms.
         */
        public Builder maxLocalTime(Duration time) {
            this.maxLocalTime = Preconditions.maxLocalTime(time);
            return this;
        }

        /** Told of a loss, on the client's callback executor. Default: nobody but the log. */
        public Builder onLost(Consumer<LeaseLost> listener) {
            this.onLost = Preconditions.given(listener, "listener");
            return this;
        }

        /**
         * Whether a loss interrupts the thread that took the lock, unless it has released or detached the lease. Only for
         * blocking calls: an asynchronous lease belongs to no thread. Default: no.
         */
        public Builder interruptOnLoss(boolean interrupt) {
            this.interruptOnLoss = interrupt;
            return this;
        }

        /** The options. */
        public LockOptions build() {
            return new LockOptions(this);
        }
    }
}
