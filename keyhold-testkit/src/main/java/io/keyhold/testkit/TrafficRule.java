package io.keyhold.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What happens to the data of one direction: pass, swallow or delay.
 *
 * <p>The rule is asked when data is due and not when it arrives, so that a change reaches what is held back: passing
 * again lets it go, swallowing takes it away.
 */
final class TrafficRule {
    private boolean swallowing;
    private Duration delay = Duration.ZERO;

    synchronized void pass() {
        change(false, Duration.ZERO);
    }

    synchronized void swallow() {
        change(true, Duration.ZERO);
    }

    synchronized void delay(Duration newDelay) {
        change(false, newDelay);
    }

    private synchronized void change(boolean newSwallowing, Duration newDelay) {
        swallowing = newSwallowing;
        delay = newDelay;
        notifyAll();
    }

    /** Waits until data that arrived then is due. Returns false if it has to vanish instead. */
    synchronized boolean awaitPassage(long arrivedNanos) throws InterruptedException {
        while (!swallowing && !isDue(arrivedNanos)) {
            awaitChangeOrDue(arrivedNanos);
        }
        return !swallowing;
    }

    /**
     * Waits until the end of a stream is due. While data vanishes, its end does not come through either, but it is not
     * forgotten: the two sides would otherwise keep half a connection for ever.
     */
    synchronized void awaitPassageOfEnd(long arrivedNanos) throws InterruptedException {
        while (swallowing || !isDue(arrivedNanos)) {
            if (swallowing) {
                wait();
            } else {
                awaitChangeOrDue(arrivedNanos);
            }
        }
    }

    private boolean isDue(long arrivedNanos) {
        return nanosLeft(arrivedNanos) <= 0;
    }

    private synchronized void awaitChangeOrDue(long arrivedNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, nanosLeft(arrivedNanos));
    }

    private long nanosLeft(long arrivedNanos) {
        return delay.toNanos() - (System.nanoTime() - arrivedNanos);
    }
}
