package io.keyhold.internal.engine;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.QueuePlace;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The pause before the next attempt. Without an interval of the caller's it doubles from 2 ms to 100 ms, each time a random
 * part of it so that many waiters do not come at once, and ends when the holder's lease should have ended.
 */
final class Polling {

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_DOUBLINGS = 6;

    private final RandomGenerator random;

    /** A waiter that stands in line looks this often at least, in case it was forgotten. */
    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(QueuePlace.KEPT_MILLIS / 3);

    private static final long LONGEST_JITTER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    Polling(RandomGenerator random) {
        this.random = random;
    }

    long pauseNanos(WaitPlan wait, int attempts, AcquireReply.Busy busy) {
        if (wait.interval().isPresent()) {
            return wait.interval().get().toNanos();
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
    OptionalLong pauseNanos(Outage outage, Patience patience) {
        long left = Math.min(patience.isSpent() ? 0 : patience.leftNanos(), outage.leftNanos());
        return left <= 0 ? OptionalLong.empty() : OptionalLong.of(Math.min(outage.pauseNanos(random), left));
    }

    /**
     * When the first of this client in a lock's queue looks again. A foreign holder does not hand over, and is polled. One
     * of ours does, unless it dies: then its lease ends, and one of the many who wait has to notice; not all at once.
     */
    long lookNanos(WaitPlan wait, int attempts, AcquireReply.Busy busy) {
        if (busy.kind() == AcquireReply.HolderKind.FOREIGN) {
            return pauseNanos(wait, attempts, busy);
        }
        return lookNanos(
                busy.remainingMillis().isPresent()
                        ? TimeUnit.MILLISECONDS.toNanos(busy.remainingMillis().getAsLong() + 1)
                        : LONGEST_LOOK_NANOS);
    }

    /**
     * When to look for one that has just become the first, and was told of the holder some time ago. If it was not told how long
     * that may hold the lock, its own lease is as good a guess as any.
     */
    long lookNanos(Ask ask, int attempts, AcquireReply.Busy told, long agoNanos) {
        if (told.kind() == AcquireReply.HolderKind.FOREIGN) {
            return pauseNanos(ask.plan(), attempts, told);
        }
        if (told.remainingMillis().isPresent()) {
            long left = TimeUnit.MILLISECONDS.toNanos(told.remainingMillis().getAsLong() + 1) - agoNanos;
            return lookNanos(Math.max(0, left));
        }
        boolean forEver = ask.leaseMillis() == AcquireRequest.NO_EXPIRY;
        return lookNanos(forEver ? LONGEST_LOOK_NANOS : TimeUnit.MILLISECONDS.toNanos(ask.leaseMillis()));
    }

    /** The same, when all that is known of the holder is how long its lease may be. */
    private long lookNanos(long leaseNanos) {
        long lease = Math.min(leaseNanos, LONGEST_LOOK_NANOS); // First, because for ever and a jitter is in the past.
        return Math.min(lease + random.nextLong(LONGEST_JITTER_NANOS), LONGEST_LOOK_NANOS);
    }
}
