package io.keyhold.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Looks for input before a thread blocks in a read. To block takes two switches between threads, and often the wake-up of an idle core. A near server
 * replies sooner than that. So the thread spins for a moment, and yields its core to any other that has work to do.
 *
 * <p>If the server is not near, or other threads need the core, that is in vain. So after each miss more reads block at once: 1, 3, 7 and so on up to 63,
 * until a spin finds input in time. {@code docs/decisions/047} has what this saves and costs. Used by one thread at a time.
 */
final class AdaptiveSpin {

    /** About as long as what a blocked thread costs. */
    private static final long REMOTE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** A server on the same machine may be waiting for the core that the spin yields. */
    private static final long LOOPBACK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** Input that is found after this many limits is late: a thread that computes had the core meanwhile, and a blocked thread would have got it sooner. */
    private static final int LATE = 4;

    private static final int MOST_SKIPPED = 63;

    private final long limitNanos;
    private final LongSupplier nanoTime;
    private int toSkip;
    private int skipped;

    /** Creates one that spins for this time; not at all if it is 0. */
    AdaptiveSpin(long limitNanos, LongSupplier nanoTime) {
        this.limitNanos = limitNanos;
        this.nanoTime = nanoTime;
    }

    /** Returns one for a connection to such an address. With a single core, nothing could arrive while it is busy. */
    static AdaptiveSpin of(boolean loopback) {
        boolean oneCore = Runtime.getRuntime().availableProcessors() == 1;
        return new AdaptiveSpin(oneCore ? 0 : loopback ? LOOPBACK_NANOS : REMOTE_NANOS, System::nanoTime);
    }

    /** Returns whether there is input. If not, nothing is known: it may be at its end. */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing depends on the yield; it lets others with work to do go first.
    boolean finds(InputStream input) throws IOException {
        if (limitNanos == 0) {
            return false;
        }
        if (skipped < toSkip) {
            skipped++;
            return false;
        }
        skipped = 0;
        long began = nanoTime.getAsLong();
        boolean found = input.available() > 0;
        while (!found && nanoTime.getAsLong() - began <= limitNanos) {
            Thread.yield();
            found = input.available() > 0;
        }
        boolean inTime = found && nanoTime.getAsLong() - began <= LATE * limitNanos;
        toSkip = inTime ? 0 : Math.min(2 * toSkip + 1, MOST_SKIPPED);
        return found;
    }
}
