package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;

/** The price of a lock that nobody contends for. */
final class OwnKeyAlone extends LoopShape {
    OwnKeyAlone() {
        super(1, new LoopPlan(1, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE));
    }

    @Override
    public String id() {
        return "own-1";
    }

    @Override
    public String title() {
        return "One thread, its own key";
    }

    @Override
    public String description() {
        return "Nobody else wants the lock: what one hold costs. Latency is that of acquire and release together.";
    }
}
