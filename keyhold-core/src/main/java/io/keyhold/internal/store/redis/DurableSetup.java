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
 * @param marker the key of the incarnation that may grant
 */
public record DurableSetup(Durability durability, KeyholdClock clock, Scheduler scheduler, String marker) {

    /** Returns the setup of one server. */
    public DurableSetup(Durability durability, KeyholdClock clock, Scheduler scheduler) {
        this(durability, clock, scheduler, KeyNames.MARKER);
    }

    /** Returns this setup for the shard of a cluster that has the slot of this text. */
    public DurableSetup forSlotOf(String text) {
        return new DurableSetup(durability, clock, scheduler, KeyNames.marker(text));
    }

    boolean isOn() {
        return durability.replicas() > 0;
    }
}
