package io.keyhold.tests.stress;

import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Some of the locks together, in any order, or one of them by itself. */
final class AllOfWorkload implements ChaosWorkload {

    /** Not a key: a request for several keys may wait while some of them are free, so the monitor ignores it. */
    private static final String SEVERAL = "several";

    private final ChaosKind kind;
    private final WorkerContext context;
    private final HeldWork work;

    AllOfWorkload(ChaosKind kind, WorkerContext context) {
        this.kind = kind;
        this.context = context;
        this.work = new HeldWork(context.counter(), context.who());
    }

    @Override
    public ContendedResource draw(Duration lease, boolean renewed) {
        LockOptions options = context.terms(lease, renewed).maxWait(WAIT_LIMIT).build();
        if (context.random().nextInt(5) < 2) {
            String key = context.anyKey(kind);
            return new ContendedLock(
                    key,
                    context.keyhold().lock(key, options),
                    (held, millis) -> work.increment(held, List.of(key), millis));
        }
        List<String> some = new ArrayList<>(kind.keys());
        Collections.shuffle(some, context.random());
        List<String> keys = List.copyOf(
                some.subList(0, 2 + context.random().nextInt(kind.keys().size() - 1)));
        return new ContendedLock(
                SEVERAL, context.keyhold().allOf(keys, options), (held, millis) -> work.increment(held, keys, millis));
    }
}
