package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.List;

/** Locks, each by itself. */
final class LockWorkload implements ChaosWorkload {

    private final ChaosKind kind;
    private final WorkerContext context;
    private final HeldWork work;

    LockWorkload(ChaosKind kind, WorkerContext context) {
        this.kind = kind;
        this.context = context;
        this.work = new HeldWork(context.counter(), context.who());
    }

    @Override
    public ContendedResource draw(Duration lease, boolean renewed) {
        String key = context.anyKey(kind);
        return new ContendedLock(
                key,
                context.keyhold().lock(key, context.terms(lease, renewed).build()),
                (held, millis) -> work.increment(held, List.of(key), millis));
    }
}
