package io.keyhold.internal.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.internal.engine.lease.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** {@link java.util.concurrent.locks.Lock} over a distributed lock: reentrant, owned by a thread. */
final class ThreadOwnedLock implements Lock {

    private final DistributedLock lock;
    private final ThreadHolds holds;
    private final Subject subject;
    private final List<Subject.Held> what;

    ThreadOwnedLock(DistributedLock lock, ThreadHolds holds, Subject subject) {
        this.lock = lock;
        this.holds = holds;
        this.subject = subject;
        this.what = subject.heldAs();
    }

    @Override
    public void lock() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    lockInterruptibly();
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
        checkInterrupt();
        if (!reenter()) {
            holds.begin(what, lock.acquire());
        }
    }

    @Override
    public boolean tryLock() {
        return reenter() || begin(lock.tryAcquire());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        checkInterrupt();
        // As the interface says: a time of zero or less means not to wait at all.
        Duration maxWait = Duration.ofNanos(
                Math.max(0, Math.min(unit.toNanos(time), Duration.ofDays(365).toNanos())));
        return reenter() || begin(lock.tryAcquire(maxWait));
    }

    @Override
    public void unlock() {
        ThreadHolds.Hold hold = holds.ofThisThread(what);
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "thread '" + Thread.currentThread().getName() + "' does not hold " + subject);
        }
        if (--hold.count == 0) {
            holds.end(what);
            try {
                hold.lease.close();
            } catch (LeaseLostException e) {
                // unlock() does not throw for a loss, as the interface has it; onLost and the log report it.
            }
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "a distributed lock has no conditions: waiters live in other processes");
    }

    @Override
    public String toString() {
        ThreadHolds.@Nullable Hold hold = holds.ofThisThread(what);
        return subject + (hold == null ? " (not held by this thread)" : " (held " + hold.count + " times)");
    }

    private static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private boolean begin(Optional<Lease> lease) {
        lease.ifPresent(taken -> holds.begin(what, taken));
        return lease.isPresent();
    }

    private boolean reenter() {
        ThreadHolds.Hold hold = holds.ofThisThread(what);
        if (hold == null) {
            return false;
        }
        Lease lease = hold.lease;
        if (!lease.isHeld()) {
            // Going on as if it were held would let this thread work beside the next holder.
            String detail = subject + " was lost while this thread held it; unlock it before locking it again";
            throw new LeaseLostException(
                    detail,
                    new LeaseLost(
                            subject.name(), lease.token(), lease.fencingToken(), LeaseLost.Reason.EXPIRED, detail));
        }
        hold.count++;
        return true;
    }
}
