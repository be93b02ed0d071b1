package io.keyhold.tests.stress;

import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.List;

/** Locks on a quorum: some of them are held for as long as it takes a server to die and to come back. */
final class QuorumWorkload implements ChaosWorkload {

    private static final int LONG_HOLD_MILLIS = 300;

    private final ChaosKind kind;
    private final WorkerContext context;
    private final HeldWork work;
    private final OccupancyCheck occupancy;

    QuorumWorkload(ChaosKind kind, WorkerContext context) {
        this.kind = kind;
        this.context = context;
        this.work = new HeldWork(context.counter(), context.who());
        this.occupancy = new OccupancyCheck(context.counter(), context.who(), 1);
    }

    @Override
    public ContendedResource draw(Duration lease, boolean renewed) {
        String key = context.anyKey(kind);
        LockOptions terms = LockOptions.builder().lease(lease).renew(renewed).build();
        boolean tarries = context.random().nextInt(4) == 0;
        return new ContendedLock(key, context.keyhold().lock(key, terms), (held, millis) -> {
            work.increment(held, List.of(key), tarries ? millis + LONG_HOLD_MILLIS : millis);
            occupancy.occupy(held, 1, millis);
        });
    }
}
