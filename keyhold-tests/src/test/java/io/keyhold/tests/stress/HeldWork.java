package io.keyhold.tests.stress;

import io.keyhold.Lease;
import java.util.concurrent.TimeUnit;

/**
 * What a thread does while it holds a lock: one increment of the guarded counter, and a judgement of each refusal.
 *
 * <p>A refusal says that a holder with a newer token has been at the resource. If the lease says <em>afterwards</em>
 * that it is held, then it was held when the resource refused, because a lease never comes back to life: two were
 * inside at once. If it says that it is not, then the loss has been noticed and the fence has done its work; a worker
 * that was stopped, cut off or too slow is in that case, and so nothing of that raises a false alarm. The order
 * matters: to ask before the step only would blame a lease that ended between the question and the step.
 */
final class HeldWork {

    private final GuardedCounter counter;
    private final String who;
    private long holds;

    HeldWork(GuardedCounter counter, String who) {
        this.counter = counter;
        this.who = who;
    }

    /** Reads, waits and writes. The lease is held afterwards if it was held before; it is not released here. */
    void increment(Lease lease, long holdMillis) throws InterruptedException {
        String hold = who + "#" + ++holds;
        GuardedCounter.Opening opening = counter.open(lease.key(), lease.fencingToken(), hold);
        if (opening.isBehind()) {
            refused(lease, hold, "read");
            return;
        }
        TimeUnit.MILLISECONDS.sleep(holdMillis);
        if (counter.write(lease.key(), lease.fencingToken(), hold, opening.counter() + 1)) {
            counter.count("increments");
        } else {
            refused(lease, hold, "write");
        }
    }

    /**
     * As {@link #increment}, but stays until the lease has ended on its own.
     *
     * @param grantedBefore {@link System#nanoTime} when the lease was here already, so that its end is not later than
     *     its length from then
     */
    void overstay(Lease lease, long grantedBefore, long leaseMillis) throws InterruptedException {
        long age = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - grantedBefore);
        increment(lease, Math.max(0, leaseMillis - age + 1));
        if (System.nanoTime() - grantedBefore > TimeUnit.MILLISECONDS.toNanos(leaseMillis)) {
            counter.count("overstayed");
            if (lease.isHeld()) {
                counter.violation("a lease of " + leaseMillis + " ms says after that time that it is held: " + who
                        + " on " + lease.key() + ", fencing token " + lease.fencingToken());
            }
        }
    }

    private void refused(Lease lease, String hold, String step) {
        if (lease.isHeld()) {
            counter.violation("two held " + lease.key() + " at once: the " + step + " of " + hold
                    + " was refused, fencing token " + lease.fencingToken()
                    + ", and its lease says that it is held for "
                    + lease.remaining() + " more");
        } else {
            counter.count("fenced off at " + step);
        }
    }
}
