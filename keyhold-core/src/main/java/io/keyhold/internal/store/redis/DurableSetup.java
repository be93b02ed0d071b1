package io.keyhold.internal.store.redis;

import io.keyhold.Durability;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.time.Scheduler;
import java.time.Duration;
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
        boolean endless = leaseMillis == AcquireRequest.NO_EXPIRY;
        if (!isOn() || (!endless && leaseMillis <= durability.longestLease().toMillis())) {
            return Optional.empty();
        }
        return Optional.of("lease must be at most longestLease (" + Formats.duration(durability.longestLease())
                + ") with durability by replicas, was "
                + (endless ? "unlimited" : Formats.duration(Duration.ofMillis(leaseMillis))));
    }
}
