package io.keyhold.internal.simulation;

import io.keyhold.StoreRefusedException;
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
    private static final long GRANULARITY = 2 * FaultProfile.MILLI;

    private final Simulation simulation;
    private final boolean clocksAreGood;

    Outages(Simulation simulation, boolean clocksAreGood) {
        this.simulation = simulation;
        this.clocksAreGood = clocksAreGood;
    }

    void failed(Operation operation, long began, Contact contact, Throwable failure) {
        if (!clocksAreGood
                || !operation.queues()
                || contact.lastReply().isEmpty()
                || !isOfStore(Stages.unwrapped(failure))) {
            return;
        }
        long waits = operation.maxWait().map(Duration::toNanos).orElse(operation.leaseMillis() * FaultProfile.MILLI);
        long from =
                operation.maxWait().isPresent() ? began : contact.lastReply().getAsLong();
        if (simulation.now() - from < waits * (1 - ALLOWANCE) - GRANULARITY) {
            simulation.violated("a request that had reached its store failed after "
                    + (simulation.now() - from) / FaultProfile.MILLI
                    + " ms of " + waits / FaultProfile.MILLI
                    + (operation.maxWait().isPresent() ? " that it could wait: " : " that it waits for a reply: ")
                    + failure);
        }
    }

    private static boolean isOfStore(Throwable failure) {
        return failure instanceof StoreUnavailableException || failure instanceof StoreRefusedException;
    }
}
