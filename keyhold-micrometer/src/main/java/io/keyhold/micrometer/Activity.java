package io.keyhold.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;

/** What goes on now, of one name and kind. */
record Activity(LongAdder waiters, LongAdder leases, LongTaskTimer held) {

    static Activity register(MeterRegistry registry, Tags tags) {
        Activity activity = new Activity(
                new LongAdder(),
                new LongAdder(),
                LongTaskTimer.builder("keyhold.hold.active")
                        .description("Time since the grant of the leases that are held now")
                        .tags(tags)
                        .register(registry));
        Gauge.builder("keyhold.waiters", activity.waiters, LongAdder::sum)
                .description("Requests of this client that wait")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        Gauge.builder("keyhold.leases.active", activity.leases, LongAdder::sum)
                .description("Leases that this client holds")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        return activity;
    }
}
