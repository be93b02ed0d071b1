package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a lock goes to the next waiter of the same client without asking the store. The technique is known as
 * <em>lock cohorting</em> (Dice, Marathe and Shavit): a lock of two levels, whose global level is passed among the threads of one
 * node, here of one client, for a bounded number of times.
 *
 * <p>The bounds (passes and time) keep waiters of other clients from starving. The next hold inherits the lease of the one
 * before, so both must be of the same length, and enough of it must be left.
 */
final class LocalHandOver {

    /** A lease that is not renewed is handed over only while less than this part of it has passed. */
    private static final int PART_OF_FIXED = 10;

    /** A renewed lease is handed over until its renewal is due. */
    private static final int PART_OF_RENEWED = 3;

    private final KeyholdClock clock;

    LocalHandOver(KeyholdClock clock) {
        this.clock = clock;
    }

    /** Returns whether a hold of this length and validity may go to the next waiter. */
    boolean isAllowed(CohortHold hold, Validity validity, long leaseMillis, boolean renewed, LockOptions next) {
        return hold.passes() < next.maxLocalPasses()
                && hold.began().nanosSince(clock) < next.maxLocalTime().toNanos()
                && leaseMillis == Grant.leaseMillis(next)
                && renewed == next.isRenewed()
                && hasLife(validity, leaseMillis, renewed);
    }

    private boolean hasLife(Validity validity, long leaseMillis, boolean renewed) {
        int part = renewed ? PART_OF_RENEWED : PART_OF_FIXED;
        return leaseMillis == AcquireRequest.NO_EXPIRY
                || validity.ageNanos(clock) < TimeUnit.MILLISECONDS.toNanos(leaseMillis) / part;
    }
}
