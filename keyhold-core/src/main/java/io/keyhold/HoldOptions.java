package io.keyhold;

import io.keyhold.internal.Formats;
import io.keyhold.internal.Preconditions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options that locks and semaphores share: how long a hold lasts, how it is waited for, and what happens when it is lost.
 * Immutable. Every getter has the name of its setter. Two options are equal if they are of the same kind and all their
 * getters return the same.
 *
 * @see LockOptions
 * @see SemaphoreOptions
 */
public abstract sealed class HoldOptions permits LockOptions, SemaphoreOptions {

    /** The lease if none is set: 30 seconds, renewed every 10 seconds while held. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** The pause between two attempts if {@link #retries} is set without an interval: 10 milliseconds. */
    public static final Duration DEFAULT_RETRY_INTERVAL = Duration.ofMillis(10);

    private final @Nullable String name;
    private final @Nullable Duration lease;
    private final boolean noExpiry;
    private final @Nullable Boolean renew;
    private final @Nullable Duration maxWait;
    private final @Nullable Integer retries;
    private final @Nullable Duration retryInterval;
    private final @Nullable Consumer<LeaseLost> onLost;
    private final boolean interruptOnLoss;

    HoldOptions(Builder<?> builder) {
        name = builder.name;
        lease = builder.lease;
        noExpiry = builder.noExpiry;
        renew = builder.renew;
        maxWait = builder.maxWait;
        retries = builder.retries;
        retryInterval = builder.retryInterval;
        onLost = builder.onLost;
        interruptOnLoss = builder.interruptOnLoss;
    }

    /**
     * Returns the name for metrics and configuration.
     *
     * @return the name, or empty if none was set
     */
    public Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /**
     * Returns how long a hold lasts without renewal.
     *
     * @return the lease, or empty if a hold never expires
     */
    public Optional<Duration> lease() {
        return noExpiry ? Optional.empty() : Optional.of(lease != null ? lease : DEFAULT_LEASE);
    }

    /**
     * Returns whether a hold never expires.
     *
     * @return whether {@link Builder#noExpiry()} was set; {@link #lease()} is empty then
     */
    public boolean noExpiry() {
        return noExpiry;
    }

    /**
     * Returns whether the lease is renewed while it is held.
     *
     * @return what was set, else true unless {@link Builder#lease} was set; false for a hold that never expires
     */
    public boolean renew() {
        return !noExpiry && (renew != null ? renew : lease == null);
    }

    /**
     * Returns how long an {@code acquire} waits.
     *
     * @return the limit, or empty if it waits indefinitely
     */
    public Optional<Duration> maxWait() {
        return Optional.ofNullable(maxWait);
    }

    /**
     * Returns how often a failed attempt is repeated.
     *
     * @return the limit, or empty if there is none
     */
    public OptionalInt retries() {
        return retries != null ? OptionalInt.of(retries) : OptionalInt.empty();
    }

    /**
     * Returns the pause between two attempts of a request that polls.
     *
     * @return the pause, or empty if the request waits in the queue instead of polling
     */
    public Optional<Duration> retryInterval() {
        if (retryInterval != null) {
            return Optional.of(retryInterval);
        }
        return retries != null ? Optional.of(DEFAULT_RETRY_INTERVAL) : Optional.empty();
    }

    /**
     * Returns the listener that is notified of a loss.
     *
     * @return the listener, or empty if none was set
     */
    public Optional<Consumer<LeaseLost>> onLost() {
        return Optional.ofNullable(onLost);
    }

    /**
     * Returns whether a loss interrupts the thread that acquired the lease.
     *
     * @return whether it does
     */
    public boolean interruptOnLoss() {
        return interruptOnLoss;
    }

    /** Returns what the getters return, by name: {@link #equals} compares it and {@link #toString} shows it. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        name().ifPresent(value -> values.put("name", value));
        lease().ifPresent(value -> values.put("lease", value));
        values.put("noExpiry", noExpiry());
        values.put("renew", renew());
        maxWait().ifPresent(value -> values.put("maxWait", value));
        retries().ifPresent(value -> values.put("retries", value));
        retryInterval().ifPresent(value -> values.put("retryInterval", value));
        onLost().ifPresent(value -> values.put("onLost", value));
        values.put("interruptOnLoss", interruptOnLoss());
        return values;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof HoldOptions options
                && options.getClass() == getClass()
                && options.values().equals(values());
    }

    @Override
    public final int hashCode() {
        return values().hashCode();
    }

    /**
     * Returns the options for people, such as {@code LockOptions[lease=30 s, renew=true]}. Leaves out what is not set, and the
     * switches that are off.
     */
    @Override
    public final String toString() {
        StringJoiner text = new StringJoiner(", ", getClass().getSimpleName() + "[", "]");
        values().forEach((setting, value) -> {
            if (value != Boolean.FALSE || setting.equals("renew")) {
                text.add(setting + "=" + (value instanceof Duration time ? Formats.duration(time) : value));
            }
        });
        return text.toString();
    }

    /**
     * Collects options. Every setter refuses a bad value at once with an {@link IllegalArgumentException} that names the value
     * and the rule, and returns this builder.
     *
     * @param <B> the builder itself
     */
    public abstract static sealed class Builder<B extends Builder<B>>
            permits LockOptions.Builder, SemaphoreOptions.Builder {

        private @Nullable String name;
        private @Nullable Duration lease;
        private boolean noExpiry;
        private @Nullable Boolean renew;
        private @Nullable Duration maxWait;
        private @Nullable Integer retries;
        private @Nullable Duration retryInterval;
        private @Nullable Consumer<LeaseLost> onLost;
        private boolean interruptOnLoss;

        Builder() {}

        abstract B self();

        /**
         * Copies all options that locks and semaphores share, so that a semaphore is held as a lock is, or the reverse. What was set
         * before is replaced.
         *
         * @param options the options of a lock or of a semaphore
         * @return this builder
         */
        public B from(HoldOptions options) {
            Preconditions.given(options, "options");
            name = options.name;
            lease = options.lease;
            noExpiry = options.noExpiry;
            renew = options.renew;
            maxWait = options.maxWait;
            retries = options.retries;
            retryInterval = options.retryInterval;
            onLost = options.onLost;
            interruptOnLoss = options.interruptOnLoss;
            return self();
        }

        /**
         * Sets a name for metrics and configuration: one for all keys of a purpose, such as {@code invoice}, because keys are
         * too many to be counted by. It is not part of the key. Default: none.
         *
         * @param name 1 to 64 characters without control characters
         * @return this builder
         */
        public B name(String name) {
            this.name = Preconditions.plain(name, "name", 64);
            return self();
        }

        /**
         * Sets how long a hold lasts. It is then not renewed unless {@link #renew renew(true)} is set too. With a short lease the
         * lock of a dead holder is free soon, but a pause of the process or the network loses it; with a long lease the reverse.
         * Default: 30 s, renewed.
         *
         * @param lease from 10 ms to 31 days
         * @return this builder
         */
        public B lease(Duration lease) {
            this.lease = Preconditions.lease(lease);
            this.noExpiry = false;
            return self();
        }

        /**
         * Sets whether the lease is renewed while held, at a third of its length. Default: true, or false if {@link #lease} was
         * set.
         *
         * @param renew whether to renew
         * @return this builder
         */
        public B renew(boolean renew) {
            this.renew = renew;
            return self();
        }

        /**
         * Sets that a hold never expires. Unwise: if the holder dies, the key stays taken until it is released by hand.
         * Whether it is still held is checked as often as a default lease is renewed. Default: it expires.
         *
         * @return this builder
         */
        public B noExpiry() {
            this.lease = null;
            this.noExpiry = true;
            return self();
        }

        /**
         * Sets how long an {@code acquire} waits in all. Default: indefinitely.
         *
         * @param maxWait from 0 (one attempt) to 365 days
         * @return this builder
         */
        public B maxWait(Duration maxWait) {
            this.maxWait = Preconditions.maxWait(maxWait);
            return self();
        }

        /**
         * Polls instead of waiting in the queue, and repeats a failed attempt at most this many times, {@link #retryInterval}
         * apart. If {@link #maxWait} is set too, the one that is spent first ends the wait. Default: waits in the queue.
         *
         * @param retries from 0 (one attempt) to 1,000,000
         * @return this builder
         */
        public B retries(int retries) {
            this.retries = Preconditions.within(retries, "retries", 0, 1_000_000);
            return self();
        }

        /**
         * Polls instead of waiting in the queue, with this pause between two attempts. Default: waits in the queue; 10 ms if
         * {@link #retries} is set.
         *
         * @param interval from 0 to 1 day
         * @return this builder
         */
        public B retryInterval(Duration interval) {
            this.retryInterval = Preconditions.within(interval, "retryInterval", Duration.ZERO, Duration.ofDays(1));
            return self();
        }

        /**
         * Sets a listener that is notified of a loss, on the client's callback executor. Default: none; a loss is logged in any case.
         *
         * @param listener is called once for each lease that is lost
         * @return this builder
         */
        public B onLost(Consumer<LeaseLost> listener) {
            this.onLost = Preconditions.given(listener, "listener");
            return self();
        }

        /**
         * Sets whether a loss interrupts the thread that acquired the lease, unless it has released or detached it. Only for
         * blocking calls: an asynchronous lease belongs to no thread. Default: false.
         *
         * @param interrupt whether to interrupt
         * @return this builder
         */
        public B interruptOnLoss(boolean interrupt) {
            this.interruptOnLoss = interrupt;
            return self();
        }
    }
}
