package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;

/** Contention inside one process. */
final class OneKeyInOneJvm extends LoopShape {
    OneKeyInOneJvm() {
        super(1, new LoopPlan(8, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE));
    }

    @Override
    public String id() {
        return "one-key-8";
    }

    @Override
    public String title() {
        return "One key, 8 threads of one JVM";
    }

    @Override
    public String description() {
        return "All threads of one process want the same lock, all the time. Latency is the wait for it.";
    }
}
