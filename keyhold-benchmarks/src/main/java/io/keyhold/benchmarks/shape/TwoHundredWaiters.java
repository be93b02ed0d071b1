package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;

/** A crowd at one lock. */
final class TwoHundredWaiters extends LoopShape {
    TwoHundredWaiters() {
        super(4, new LoopPlan(50, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE));
    }

    @Override
    public String id() {
        return "waiters-200";
    }

    @Override
    public String title() {
        return "One key, 50 threads in each of 4 JVMs";
    }

    @Override
    public String description() {
        return "A long line: what each further waiter costs the others. Latency is the wait for the lock.";
    }
}
