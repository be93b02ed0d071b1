package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.ClockReading;

/**
 * The moment at which a request was sent, from which its lease counts. A request may wait for long in the client's own queues
 * (thousands of asynchronous calls, a pool without a free connection). If that time counted, a request that waits for longer
 * than its lease would be granted, released and repeated for ever.
 */
public final class Sending implements Runnable {

    private final KeyholdClock clock;
    private volatile ClockReading moment;

    /** Starts with the current time: for a store that does not report the sending, the lease counts too early, never too late. */
    public Sending(KeyholdClock clock) {
        this.clock = clock;
        this.moment = ClockReading.now(clock);
    }

    @Override
    public void run() {
        moment = ClockReading.now(clock);
    }

    /** Returns the last moment before the server could execute the request. */
    public ClockReading moment() {
        return moment;
    }
}
