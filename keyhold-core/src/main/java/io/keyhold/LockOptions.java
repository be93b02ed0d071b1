package io.keyhold;

import io.keyhold.internal.Preconditions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is acquired and held. Immutable; what is not set has the default that its setter names.
 *
 * <pre>{@code
 * LockOptions options = LockOptions.builder()
 *         .name("invoice")                         // for metrics
 *         .lease(Duration.ofSeconds(10))           // ends after 10 s …
 *         .renew(true)                             // … unless this process still lives
 *         .maxWait(Duration.ofSeconds(2))          // then AcquireTimeoutException
 *         .onLost(loss -> alarm(loss.detail()))
 *         .build();
 * DistributedLock lock = keyhold.lock("invoice:42", options);
 * }</pre>
 *
 * @see KeyholdBuilder#defaults
 * @see DistributedLock#with
 */
public final class LockOptions extends HoldOptions {

    /** How often a client hands a lock over among its threads before other clients get their turn, if that is not set. */
    public static final int DEFAULT_MAX_LOCAL_HAND_OVERS = 63;

    /** For how long a client hands a lock over among its threads before other clients get their turn, if that is not set. */
    public static final Duration DEFAULT_MAX_LOCAL_TIME = Duration.ofMillis(50);

    private static final LockOptions DEFAULTS = new Builder().build();

    private final @Nullable String token;
    private final Fairness fairness;
    private final int maxLocalHandOvers;
    private final Duration maxLocalTime;

    private LockOptions(Builder builder) {
        super(builder);
        token = builder.token;
        fairness = builder.fairness;
        maxLocalHandOvers = builder.maxLocalHandOvers;
        maxLocalTime = builder.maxLocalTime;
    }

    /**
     * Returns the default options: a lease of 30 seconds, renewed while held; waits indefinitely.
     *
     * @return the default options
     */
    public static LockOptions defaults() {
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
        Builder builder = new Builder().from(this);
        builder.token = token;
        builder.fairness = fairness;
        builder.maxLocalHandOvers = maxLocalHandOvers;
        builder.maxLocalTime = maxLocalTime;
        return builder;
    }

    /**
     * Returns the caller's own token.
     *
     * @return the token, or empty if every hold gets a fresh one
     */
    public Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /**
     * Returns in which order waiters get the lock.
     *
     * @return the order
     */
    public Fairness fairness() {
        return fairness;
    }

    /**
     * Returns how often a client hands the lock over among its threads before other clients get their turn.
     *
     * @return the limit; 0 if it never does
     */
    public int maxLocalHandOvers() {
        return maxLocalHandOvers;
    }

    /**
     * Returns for how long a client hands the lock over among its threads before other clients get their turn.
     *
     * @return the limit
     */
    public Duration maxLocalTime() {
        return maxLocalTime;
    }

    @Override
    Map<String, Object> values() {
        Map<String, Object> values = super.values();
        token().ifPresent(value -> values.put("token", value));
        values.put("fairness", fairness);
        values.put("maxLocalHandOvers", maxLocalHandOvers);
        values.put("maxLocalTime", maxLocalTime);
        return values;
    }

    /** Collects the options of a lock. */
    public static final class Builder extends HoldOptions.Builder<Builder> {

        private @Nullable String token;
        private Fairness fairness = Fairness.BATCHED;
        private int maxLocalHandOvers = DEFAULT_MAX_LOCAL_HAND_OVERS;
        private Duration maxLocalTime = DEFAULT_MAX_LOCAL_TIME;

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets the caller's own token. Every request with this token, from any process, is the same holder: asking again is
         * granted. It should be unique to one hold, because a late release of an earlier hold with the same token would release
         * the next. Not for semaphores and quorums. Default: a fresh token for every hold.
         *
         * @param token 1 to 512 characters without control characters
         * @return this builder
         */
        public Builder token(String token) {
            this.token = Preconditions.token(token);
            return this;
        }

        /**
         * Sets in which order waiters get the lock. Default: {@link Fairness#BATCHED}.
         *
         * @param fairness the order
         * @return this builder
         */
        public Builder fairness(Fairness fairness) {
            this.fairness = Preconditions.given(fairness, "fairness");
            return this;
        }

        /**
         * Sets how often, with {@link Fairness#BATCHED}, a client hands the lock over among its own threads before other clients
         * get their turn. Default: 63.
         *
         * @param handOvers from 0 (never) to 63
         * @return this builder
         */
        public Builder maxLocalHandOvers(int handOvers) {
            // Fencing tokens grow by 64 from grant to grant, which leaves 63 numbers for hand-overs between.
            this.maxLocalHandOvers = Preconditions.within(handOvers, "maxLocalHandOvers", 0, 63);
            return this;
        }

        /**
         * Sets for how long, with {@link Fairness#BATCHED}, a client hands the lock over among its own threads before other
         * clients get their turn. The last hand-over begins within this time; the hold that it gives may take longer. Default:
         * 50 ms.
         *
         * @param time from 0 to 1 minute
         * @return this builder
         */
        public Builder maxLocalTime(Duration time) {
            this.maxLocalTime = Preconditions.within(time, "maxLocalTime", Duration.ZERO, Duration.ofMinutes(1));
            return this;
        }

        /** {@return the options} */
        public LockOptions build() {
            return new LockOptions(this);
        }
    }
}
