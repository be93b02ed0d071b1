package io.keyhold.spi;

import java.time.Duration;

/**
 * Whether the server is quick: it has replied to the last few calls within a millisecond. Only then is a reply left to a thread that
 * asks several servers, which a slow one would hold up. Racing threads may lose a count, which does no harm.
 */
final class Quickness {

    static final long LONGEST_NANOS = Duration.ofMillis(1).toNanos();

    /** A server that is slow now and then delays a thread by a millisecond at most once in so many calls. */
    private static final int ENOUGH = 8;

    private volatile int inARow;

    boolean isQuick() {
        return inARow >= ENOUGH;
    }

    /** Notes how long the server took. */
    void replied(long nanos) {
        int before = inARow;
        if (nanos > LONGEST_NANOS) {
            noteSlow();
        } else if (before < ENOUGH) {
            inARow = before + 1;
        }
    }

    /** Notes that a reply was not read in time. */
    void noteSlow() {
        inARow = 0;
    }
}
