package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.worker.LoopPlan;
import java.time.Duration;
import java.util.Optional;

/** Threads that acquire and release as fast as they can, with no work in between. */
record LoopShape(String id, String title, String description, int jvms, LoopPlan plan) implements Shape {

    @Override
    public Metric metric() {
        return Metric.HOLDS_PER_SECOND;
    }

    @Override
    public Primitive primitive() {
        return plan.target().primitive();
    }

    @Override
    public Optional<String> exclusion(Contender contender) {
        return plan.keys() == LoopPlan.Keys.OWN ? contender.sameWithoutWaiters() : Optional.empty();
    }

    @Override
    public void warmUp(Workers workers, Duration time) throws InterruptedException {
        measure(workers, time);
    }

    @Override
    public Measurement measure(Workers workers, Duration time) throws InterruptedException {
        return LoopRound.run(workers.servers(), workers.all(), plan, workers.freshKey(), time);
    }
}
