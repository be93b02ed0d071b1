package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.worker.LoopPlan;
import java.time.Duration;
import java.util.Optional;

/** Threads that acquire and release as fast as they can, with no work in between. */
record LoopShape(String id, String title, String description, int jvms, LoopPlan plan) implements Shape {

    /** A hold on a quorum takes several times as long, so that the JVM compiles its code later. */
    private static final int QUORUM_WARM_UPS = 3;

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

    /** The warm-up is longer where the compilers of several JVMs share the cores, or where the code runs less often. */
    @Override
    public Effort effort(Effort requested) {
        int warmUps = Math.max(jvms, servers() > 1 ? QUORUM_WARM_UPS : 1);
        return new Effort(
                requested.rounds(), requested.measured(), requested.warmUp().multipliedBy(warmUps));
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
