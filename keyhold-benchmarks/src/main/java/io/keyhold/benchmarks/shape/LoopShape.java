package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.worker.LoopPlan;
import java.time.Duration;
import java.util.Optional;

/** Threads that take and release as fast as they can, with nothing to do in between. */
abstract class LoopShape implements Shape {
    private final LoopPlan plan;
    private final int jvms;

    LoopShape(int jvms, LoopPlan plan) {
        this.jvms = jvms;
        this.plan = plan;
    }

    @Override
    public final Metric metric() {
        return Metric.HOLDS_PER_SECOND;
    }

    @Override
    public final Primitive primitive() {
        return plan.target().primitive();
    }

    @Override
    public final int jvms() {
        return jvms;
    }

    @Override
    public final Optional<String> skips(Entrant entrant) {
        return plan.keys() == LoopPlan.Keys.OWN ? entrant.sameWithoutWaiters() : Optional.empty();
    }

    @Override
    public final void warmUp(Team team, Duration time) throws InterruptedException {
        measure(team, time);
    }

    @Override
    public final Measurement measure(Team team, Duration time) throws InterruptedException {
        return LoopRound.run(team.servers(), team.workers(), plan, team.freshKey(), time);
    }
}
