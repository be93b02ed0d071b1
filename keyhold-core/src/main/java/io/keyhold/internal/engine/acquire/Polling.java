package io.keyhold.internal.engine.acquire;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.QueuePlace;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The pause before a request asks again. Without an interval of the user's it doubles from 2 ms to 100 ms, each time a random
 * part of it so that many waiters do not ask at once, and ends when the lease of the holder should have ended.
 */
final class Polling {

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_DOUBLINGS = 6;

    /** A queued request checks at least this often whether its entry still exists. */
    private static final long LONGEST_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(QueuePlace.KEPT_MILLIS / 3);

    private static final long LONGEST_JITTER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RandomGenerator random;

    Polling(RandomGenerator random) {
        this.random = random;
    }

    long pauseNanos(WaitPlan plan, int attempts, AcquireReply.Busy busy) {
        if (plan.interval().isPresent()) {
            return plan.interval().get().toNanos();
        }
        long longest = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(attempts - 1, MOST_DOUBLINGS));
        long pause = longest / 2 + random.nextLong(longest / 2 + 1);
        // One millisecond more than the server said, because it rounds down.
        long untilFree = busy.remainingMillis().isPresent()
                ? TimeUnit.MILLISECONDS.toNanos(busy.remainingMillis().getAsLong() + 1)
                : Long.MAX_VALUE;
        return Math.min(pause, untilFree);
    }

    /** Returns the pause before the next attempt in an outage; empty if it is not waited out any longer. */
    OptionalLong outagePauseNanos(StoreContact contact, WaitPlan.Deadline deadline) {
        long left = Math.min(deadline.leftNanos(), contact.outageLeftNanos());
        return left <= 0 ? OptionalLong.empty() : OptionalLong.of(Math.min(contact.pauseNanos(random), left));
    }

    /**
     * Returns when the first queued request of this client checks again, {@code agoNanos} after it learned of the holder. A foreign
     * holder does not hand over, and is polled. A holder of ours does, unless it dies: then its lease ends, and one of
     * the waiters has to notice. A brief reply does not tell when that lease ends: then the request's own lease is a good guess.
     */
    long checkNanos(AcquireSpec spec, int attempts, AcquireReply.Busy told, long agoNanos) {
        if (told.kind() == AcquireReply.HolderKind.FOREIGN) {
            return pauseNanos(spec.plan(), attempts, told);
        }
        if (told.remainingMillis().isPresent()) {
            long left = TimeUnit.MILLISECONDS.toNanos(told.remainingMillis().getAsLong() + 1) - agoNanos;
            return withJitter(Math.max(0, left));
        }
        boolean guess = told.atMicros().isEmpty() && spec.leaseMillis() != AcquireRequest.NO_EXPIRY;
        return withJitter(guess ? TimeUnit.MILLISECONDS.toNanos(spec.leaseMillis()) : LONGEST_CHECK_NANOS);
    }

    /** Adds a random part, so that the first waiters of many clients do not ask at the same time. */
    private long withJitter(long leaseNanos) {
        long lease = Math.min(leaseNanos, LONGEST_CHECK_NANOS); // First: for ever plus a jitter would overflow.
        return Math.min(lease + random.nextLong(LONGEST_JITTER_NANOS), LONGEST_CHECK_NANOS);
    }
}
