package io.keyhold.tests.stress;

import io.keyhold.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a thread does while it holds a lock: one increment of the guarded counter, and a judgement of each refusal.
 *
 * <p>A refusal says that a holder with a newer token has used the resource. If the lease is held <em>after</em> the refusal,
 * then it was held during it, because an ended lease is never held again: there were two holders. If the lease has ended, then the
 * loss was noticed and fencing has worked; that is the case of a worker that was stopped, cut off or too slow, so none of
 * these raises a false alarm. The order matters: a check before the step only would blame a lease that ended in between.
 */
final class HeldWork {

    private final GuardedCounter counter;
    private final String who;
    private long holds;

    HeldWork(GuardedCounter counter, String who) {
        this.counter = counter;
        this.who = who;
    }

    /** Reads, waits and writes, for each of the keys of this lease. It is not released here. */
    void increment(Lease lease, List<String> keys, long holdMillis) throws InterruptedException {
        String hold = who + "#" + ++holds;
        List<Long> counters = new ArrayList<>();
        for (String key : keys) {
            GuardedCounter.Opening opening = counter.open(key, lease.fencingToken(), hold);
            if (opening.isBehind()) {
                refused(lease, key, hold, "read");
                return;
            }
            counters.add(opening.counter());
        }
        TimeUnit.MILLISECONDS.sleep(holdMillis);
        for (int i = 0; i < keys.size(); i++) {
            if (counter.write(keys.get(i), lease.fencingToken(), hold, counters.get(i) + 1)) {
                counter.count("increments");
            } else {
                refused(lease, keys.get(i), hold, "write");
            }
        }
    }

    private void refused(Lease lease, String key, String hold, String step) {
        if (lease.isHeld()) {
            counter.violation("two held " + key + " at once: the " + step + " of " + hold
                    + " was refused, fencing token " + lease.fencingToken()
                    + ", and its lease is held for "
                    + lease.remaining() + " more");
        } else {
            counter.count("fenced off at " + step);
        }
    }
}
