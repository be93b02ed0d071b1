package io.keyhold.shedlock;

import static java.util.Objects.requireNonNull;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Lets ShedLock keep its locks in Keyhold.
 *
 * <pre>{@code
 * LockProvider provider = new KeyholdLockProvider(keyhold);
 * LockProvider renewing = KeyholdLockProvider.builder(keyhold).renew(true).build();
 * }</pre>
 *
 * <p>The key of a lock is that of ShedLock's own Redis providers, {@code job-lock:default:NAME}, and both exclude each other: instances of an application
 * may be switched over one by one.
 *
 * <p>{@code lockAtMostFor} is the lease, of at least a second. {@code lockAtLeastFor} keeps the key taken after the task
 * ({@link Lease#releaseAfter}), by the clock of the server. A lock may be unlocked by any thread. The loss of a lock is reported by Keyhold's own means
 * (a warning in the log, {@link io.keyhold.KeyholdListener}), since ShedLock has none.
 */
public final class KeyholdLockProvider implements ExtensibleLockProvider {

    /** What keys begin with unless it is set: the same as that of ShedLock's Redis providers. */
    public static final String DEFAULT_KEY_PREFIX = "job-lock:default:";

    /** A shorter lease could be over before the reply has arrived. */
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private final Keyhold keyhold;
    private final String keyPrefix;
    private final boolean renew;

    /**
     * Creates a provider with the default settings.
     *
     * @param keyhold the client; it is not closed by the provider
     */
    public KeyholdLockProvider(Keyhold keyhold) {
        this(builder(keyhold));
    }

    private KeyholdLockProvider(Builder builder) {
        this.keyhold = builder.keyhold;
        this.keyPrefix = builder.keyPrefix;
        this.renew = builder.renew;
    }

    /**
     * Returns a builder for a provider with other settings.
     *
     * @param keyhold the client; it is not closed by the provider
     * @return the builder
     */
    public static Builder builder(Keyhold keyhold) {
        return new Builder(requireNonNull(keyhold, "keyhold must not be null"));
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LockOptions options = LockOptions.builder()
                .name("shedlock")
                .lease(leaseFor(configuration.getLockAtMostFor()))
                .renew(renew)
                .build();
        return keyhold.lock(keyPrefix + configuration.getName(), options)
                .tryAcquire()
                .map(lease -> new KeyholdSimpleLock(configuration, lease.detach(), renew));
    }

    static Duration leaseFor(Duration lockAtMostFor) {
        return lockAtMostFor.compareTo(SHORTEST_LEASE) < 0 ? SHORTEST_LEASE : lockAtMostFor;
    }

    /** Builds a {@link KeyholdLockProvider}. */
    public static final class Builder {

        private final Keyhold keyhold;
        private String keyPrefix = DEFAULT_KEY_PREFIX;
        private boolean renew;

        private Builder(Keyhold keyhold) {
            this.keyhold = keyhold;
        }

        /**
         * Sets what keys begin with. Default: {@value KeyholdLockProvider#DEFAULT_KEY_PREFIX}. ShedLock's Redis providers use
         * {@code PREFIX:ENVIRONMENT:}.
         *
         * @param keyPrefix the prefix, before the name of the lock
         * @return this builder
         */
        public Builder keyPrefix(String keyPrefix) {
            this.keyPrefix = requireNonNull(keyPrefix, "keyPrefix must not be null");
            return this;
        }

        /**
         * Sets whether leases are renewed while a task runs. Then {@code lockAtMostFor} is only the time after which the lock of a dead process is
         * free, and a task may run longer. Default: false.
         *
         * @param renew whether they are
         * @return this builder
         */
        public Builder renew(boolean renew) {
            this.renew = renew;
            return this;
        }

        /**
         * Builds the provider.
         *
         * @return the provider
         */
        public KeyholdLockProvider build() {
            return new KeyholdLockProvider(this);
        }
    }
}
