package io.keyhold.internal.store.redis;

import io.keyhold.Durability;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.Scheduler;
import java.util.Optional;

/**
 * What a store needs for durable grants.
 *
 * @param durability what the user has chosen
 * @param clock where time is read
 * @param scheduler ends a quarantine in time
 */
public record DurableSetup(Durability durability, KeyholdClock clock, Scheduler scheduler) {

    boolean isOn() {
        return durability.replicas() > 0;
    }

    /** Returns why a lease of this length is refused, if it is. */
    public Optional<String> refusal(long leaseMillis) {
        return isOn()
                ? StoreFailure.tooLong(
                        leaseMillis,
                        durability.longestLease(),
                        "lease must be at most longestLease (%s) with durability by replicas, was %s")
                : Optional.empty();
    }
}
