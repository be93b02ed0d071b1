package io.keyhold;

import io.keyhold.internal.Preconditions;
import java.util.Map;

/**
 * How many permits a semaphore has, and how they are acquired and held. Immutable; what is not set has the default that its
 * setter names.
 *
 * <pre>{@code
 * SemaphoreOptions options = SemaphoreOptions.builder()
 *         .permits(4)
 *         .maxWait(Duration.ofSeconds(2))
 *         .build();
 * DistributedSemaphore gpus = keyhold.semaphore("gpu", options);
 * }</pre>
 */
public final class SemaphoreOptions extends HoldOptions {

    private final int permits;
    private final boolean joinExisting;

    private SemaphoreOptions(Builder builder) {
        super(builder);
        permits = builder.permits;
        joinExisting = builder.joinExisting;
    }

    /**
     * Returns a builder that starts from the defaults: one permit, and everything else as {@link LockOptions#defaults()}.
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
        builder.permits = permits;
        builder.joinExisting = joinExisting;
        return builder;
    }

    /**
     * Returns how many permits there are.
     *
     * @return the number of permits
     */
    public int permits() {
        return permits;
    }

    /**
     * Returns whether a semaphore that exists with another number of permits is used as it is.
     *
     * @return whether it is; otherwise that is an error
     */
    public boolean joinExisting() {
        return joinExisting;
    }

    @Override
    Map<String, Object> values() {
        Map<String, Object> values = super.values();
        values.put("permits", permits);
        values.put("joinExisting", joinExisting);
        return values;
    }

    /** Collects the options of a semaphore. */
    public static final class Builder extends HoldOptions.Builder<Builder> {

        private int permits = 1;
        private boolean joinExisting;

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets how many permits there are. Default: 1.
         *
         * @param permits from 1 to 1,000,000,000
         * @return this builder
         */
        public Builder permits(int permits) {
            this.permits = Preconditions.permits(permits);
            return this;
        }

        /**
         * Uses a semaphore that exists with another number of permits as it is. {@link #permits} then only matters if this
         * client is the first. Default: another number is an error.
         *
         * @return this builder
         */
        public Builder joinExisting() {
            this.joinExisting = true;
            return this;
        }

        /** {@return the options} */
        public SemaphoreOptions build() {
            return new SemaphoreOptions(this);
        }
    }
}
