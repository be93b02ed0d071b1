package io.keyhold.internal.simulation;

import io.keyhold.StoreUnavailableException;
import io.keyhold.spi.Stages;
import java.time.Duration;

/**
 * Outages are waited out: a request that has reached its store once fails no earlier than at its deadline or, without one, after
 * the store has not replied for one lease.
 */
final class Outages {

    /** Clocks run as fast as one another to within this part. */
    private static final double ALLOWANCE = 0.02;

    /** And the wall clock shows milliseconds. */
    private static final long GRANULARITY = 2 * Weather.MILLI;

    private final Simulation world;
    private final boolean clocksAreGood;

    Outages(Simulation world, boolean clocksAreGood) {
        this.world = world;
        this.clocksAreGood = clocksAreGood;
    }

    void failed(Want want, long began, Contact contact, Throwable failure) {
        if (!clocksAreGood
                || !want.queues()
                || contact.lastReply().isEmpty()
                || !(Stages.unwrapped(failure) instanceof StoreUnavailableException)) {
            return;
        }
        long waits = want.maxWait().map(Duration::toNanos).orElse(want.leaseMillis() * Weather.MILLI);
        long from = want.maxWait().isPresent() ? began : contact.lastReply().getAsLong();
        if (world.now() - from < waits * (1 - ALLOWANCE) - GRANULARITY) {
            world.violated("a request that had reached its store failed after " + (world.now() - from) / Weather.MILLI
                    + " ms of " + waits / Weather.MILLI
                    + (want.maxWait().isPresent() ? " that it could wait: " : " that it waits for a reply: ")
                    + failure);
        }
    }
}
