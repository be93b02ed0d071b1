package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;

/** How well a client serves many threads that do not meet. */
final class OwnKeysOfMany extends LoopShape {
    OwnKeysOfMany() {
        super(1, new LoopPlan(32, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE));
    }

    @Override
    public String id() {
        return "own-32";
    }

    @Override
    public String title() {
        return "32 threads, each its own key";
    }

    @Override
    public String description() {
        return "A busy service whose threads do not meet. Latency is that of acquire and release together.";
    }
}
