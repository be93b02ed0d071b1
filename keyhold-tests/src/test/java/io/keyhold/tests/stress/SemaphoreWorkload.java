package io.keyhold.tests.stress;

import io.keyhold.SemaphoreOptions;
import java.time.Duration;

/** Permits of semaphores, up to {@link #MOST} at a time. */
final class SemaphoreWorkload implements ChaosWorkload {

    static final int PERMITS = 5;
    static final int MOST = 3;

    private final ChaosKind kind;
    private final WorkerContext context;
    private final OccupancyCheck occupancy;

    SemaphoreWorkload(ChaosKind kind, WorkerContext context) {
        this.kind = kind;
        this.context = context;
        this.occupancy = new OccupancyCheck(context.counter(), context.who(), PERMITS);
    }

    @Override
    public void inspect() {
        occupancy.inspect(kind.keys());
    }

    @Override
    public ContendedResource draw(Duration lease, boolean renewed) {
        SemaphoreOptions options = SemaphoreOptions.builder()
                .permits(PERMITS)
                .lease(lease)
                .renew(renewed)
                .maxWait(WAIT_LIMIT)
                .build();
        int permits = 1 + context.random().nextInt(MOST);
        return new ContendedPermits(
                context.keyhold().semaphore(context.anyKey(kind), options),
                permits,
                (held, millis) -> occupancy.occupy(held, permits, millis));
    }
}
