package io.keyhold.internal.engine.lease;

import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lets the store close the connections that a burst of work needed, some seconds after the burst. */
final class IdleTrim {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LockStore store;
    private final Scheduler scheduler;
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile boolean usedSince;

    IdleTrim(LockStore store, Scheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    /** Notes a use of the store. Called at each request, so it costs next to nothing. */
    void used() {
        if (!usedSince) {
            usedSince = true;
        }
        if (!armed.get() && armed.compareAndSet(false, true)) {
            scheduler.schedule(PERIOD_NANOS, this::trim);
        }
    }

    /** Runs until a whole period has passed without a use, so that the last use is trimmed too. */
    private void trim() {
        store.trim();
        if (usedSince) {
            usedSince = false;
            scheduler.schedule(PERIOD_NANOS, this::trim);
        } else {
            armed.set(false);
        }
    }
}
