package io.keyhold.spring.integration;

import io.keyhold.HoldOptions;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;

/**
 * A lock registry of Spring Integration whose locks are Keyhold's. Other threads and processes wait in a queue, without polling.
 *
 * <pre>{@code
 * @Bean
 * KeyholdLockRegistry locks(Keyhold keyhold) {
 *     return new KeyholdLockRegistry(keyhold, "orders:");
 * }
 * }</pre>
 *
 * <p>Locks are owned by threads and reentrant. A lock that is acquired without a time to live has the lease of the client's default options, which is renewed while the
 * lock is held; one with a time to live ends after it, unless it is renewed. {@code unlock} throws {@link IllegalStateException} if this thread
 * does not hold the lock, and {@link java.util.ConcurrentModificationException} if it was lost: it expired, or was taken away. Failures to acquire are {@link
 * org.springframework.dao.CannotAcquireLockException}. Conditions are not supported.
 *
 * <p>The registry keeps no lock objects, only what is held now, so nothing needs to be expired.
 */
public final class KeyholdLockRegistry implements RenewableLockRegistry<DistributedLock> {

    private final Keyhold keyhold;
    private final String prefix;
    private final Map<Owner, Held> held = new ConcurrentHashMap<>();
    private volatile boolean renewing;

    /**
     * Creates a registry whose keys are those of the locks.
     *
     * @param keyhold where the locks are; closing it stays with the application
     */
    public KeyholdLockRegistry(Keyhold keyhold) {
        this(keyhold, "");
    }

    /**
     * Creates a registry.
     *
     * @param keyhold where the locks are; closing it stays with the application
     * @param prefix stands before every key of this registry
     */
    public KeyholdLockRegistry(Keyhold keyhold, String prefix) {
        this.keyhold = Objects.requireNonNull(keyhold, "keyhold must not be null");
        this.prefix = Objects.requireNonNull(prefix, "prefix must not be null");
    }

    /** The hold of one thread. */
    record Owner(Thread thread, String key) {}

    /** A lease, and how often its thread has locked. */
    static final class Held {
        private final Lease lease;
        private int count = 1;

        Held(Lease lease) {
            this.lease = lease;
        }

        Lease lease() {
            return lease;
        }

        /** Only by its thread. */
        int add(int more) {
            count += more;
            return count;
        }
    }

    /**
     * Returns the lock on this key. The object is cheap, and may be kept or thrown away.
     *
     * @param lockKey a string
     * @return the lock
     * @throws IllegalArgumentException if it is no string
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new RegistryLock(this, keyhold.lock(key(lockKey)));
    }

    private String key(Object lockKey) {
        if (lockKey instanceof String text) {
            return prefix + text;
        }
        throw new IllegalArgumentException("a lock key must be a String, was " + lockKey);
    }

    /** Renews the lock for the lease of the client's default options, as {@link #renewLock(Object, Duration)} does. */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, keyhold.lock(key(lockKey)).options().lease().orElse(HoldOptions.DEFAULT_LEASE));
    }

    /**
     * Makes a lock that a thread of this registry holds last for at least this long from now.
     *
     * @throws IllegalStateException if none holds it, or it was lost
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        String key = key(lockKey);
        // A thread that lost the lock is listed until it unlocks, beside the one that holds it now.
        List<Lease> leases = held.entrySet().stream()
                .filter(entry -> entry.getKey().key().equals(key))
                .map(entry -> entry.getValue().lease())
                .toList();
        if (leases.stream().noneMatch(lease -> lease.isHeld() && lease.extend(ttl))) {
            throw new IllegalStateException("could not renew the lock '" + key + "': "
                    + (leases.isEmpty() ? "no thread of this registry holds it" : "it was lost"));
        }
    }

    /**
     * Turns renewal on for locks that are acquired with a time to live from now on. Keyhold renews by its own timer, and does not use the scheduler.
     *
     * @param scheduler any
     */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler scheduler) {
        renewing = true;
    }

    boolean isRenewing() {
        return renewing;
    }

    Map<Owner, Held> held() {
        return held;
    }

    @Override
    public String toString() {
        return "KeyholdLockRegistry[prefix=" + prefix + "]";
    }
}
