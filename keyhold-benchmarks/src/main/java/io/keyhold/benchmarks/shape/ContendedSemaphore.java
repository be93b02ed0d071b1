package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;

/** More threads than permits. */
final class ContendedSemaphore extends LoopShape {
    private static final int PERMITS = 3;

    private final Crowd crowd;

    ContendedSemaphore(Crowd crowd) {
        super(crowd.jvms(), crowd.plan(Target.semaphore(PERMITS), LoopPlan.Timed.ACQUIRE));
        this.crowd = crowd;
    }

    @Override
    public String id() {
        return "semaphore-" + crowd.id();
    }

    @Override
    public String title() {
        return "Semaphore with " + PERMITS + " permits, " + crowd.text();
    }

    @Override
    public String description() {
        return "All threads want a permit, all the time. Latency is the wait for it. Keyhold's line is first come, first served,"
                + " and its permits are renewed leases; Redisson's have no line, RSemaphore's no lease, and no lease is renewed.";
    }
}
