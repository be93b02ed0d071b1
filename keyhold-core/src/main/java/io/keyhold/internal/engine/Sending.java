package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.ClockReading;

/**
 * The moment at which a request was sent, from which its lease counts. A request may wait for long in the client's own queues
 * (thousands of asynchronous calls, a pool without a free connection): were that time part of the lease, requests that wait
 * for longer than a lease would be granted, given back and repeated for ever.
 */
final class Sending implements Runnable {

    private final KeyholdClock clock;
    private volatile ClockReading moment;

    /** Until it is sent, as if it were sent now: a store that does not report the sending counts too early, never too late. */
    Sending(KeyholdClock clock) {
        this.clock = clock;
        this.moment = ClockReading.now(clock);
    }

    @Override
    public void run() {
        moment = ClockReading.now(clock);
    }

    /** Returns the last moment before the server could execute the request. */
    ClockReading moment() {
        return moment;
    }
}
