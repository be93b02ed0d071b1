package io.keyhold.internal.store.redis;

import io.keyhold.Durability;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.Scheduler;

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
}
