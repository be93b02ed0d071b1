package io.keyhold.spring.integration;

import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.spring.integration.KeyholdLockRegistry.Held;
import io.keyhold.spring.integration.KeyholdLockRegistry.Owner;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/** One lock of the registry. Has no state: what is held is in the registry. */
final class RegistryLock implements DistributedLock {

    private static final Duration LONGEST_WAIT = Duration.ofDays(365);

    private final KeyholdLockRegistry registry;
    private final io.keyhold.DistributedLock lock;

    RegistryLock(KeyholdLockRegistry registry, io.keyhold.DistributedLock lock) {
        this.registry = registry;
        this.lock = lock;
    }

    /** A way to wait for the lock. */
    private interface Attempt {
        Optional<Lease> acquire(io.keyhold.DistributedLock lock) throws InterruptedException;
    }

    private Owner owner() {
        return new Owner(Thread.currentThread(), lock.key());
    }

    private boolean acquire(@Nullable Duration ttl, Attempt attempt) throws InterruptedException {
        Held held = registry.held().get(owner());
        if (held != null) {
            if (!held.lease().isHeld()) {
                throw new CannotAcquireLockException(
                        "the lock '" + lock.key() + "' of this thread was lost; unlock it first");
            }
            held.add(1);
            return true;
        }
        try {
            Optional<Lease> lease = attempt.acquire(
                    ttl == null ? lock : lock.with(options -> options.lease(ttl).renew(registry.isRenewing())));
            lease.ifPresent(granted -> registry.held().put(owner(), new Held(granted)));
            return lease.isPresent();
        } catch (KeyholdException e) {
            throw new CannotAcquireLockException("could not acquire the lock '" + lock.key() + "'", e);
        }
    }

    @Override
    public void lock() {
        lockUninterruptibly(null);
    }

    @Override
    public void lock(Duration ttl) {
        lockUninterruptibly(ttl);
    }

    private void lockUninterruptibly(@Nullable Duration ttl) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    acquire(ttl, each -> Optional.of(each.acquire()));
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        acquire(null, each -> Optional.of(each.acquire()));
    }

    @Override
    public boolean tryLock() {
        try {
            return acquire(null, io.keyhold.DistributedLock::tryAcquire);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)), null);
    }

    @Override
    public boolean tryLock(Duration wait, @Nullable Duration ttl) throws InterruptedException {
        Duration atMost = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
        return acquire(ttl, each -> each.tryAcquire(atMost.isNegative() ? Duration.ZERO : atMost));
    }

    @Override
    public void unlock() {
        Held held = registry.held().get(owner());
        if (held == null) {
            throw new IllegalStateException("this thread does not hold the lock '" + lock.key() + "'");
        }
        if (held.add(-1) > 0) {
            return;
        }
        registry.held().remove(owner());
        if (!held.lease().release()) {
            throw new ConcurrentModificationException("the lock '" + lock.key()
                    + "' was lost before it was unlocked: the integrity of what it protects may be violated");
        }
    }

    /** Not supported. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("conditions are not supported");
    }

    @Override
    public String toString() {
        return "RegistryLock[" + lock.key() + "]";
    }
}
