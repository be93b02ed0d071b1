package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;

/** Contention between processes. */
final class OneKeyInThreeJvms extends LoopShape {
    OneKeyInThreeJvms() {
        super(3, new LoopPlan(4, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE));
    }

    @Override
    public String id() {
        return "one-key-4x3";
    }

    @Override
    public String title() {
        return "One key, 4 threads in each of 3 JVMs";
    }

    @Override
    public String description() {
        return "Three processes want the same lock, all the time. Latency is the wait for it.";
    }
}
