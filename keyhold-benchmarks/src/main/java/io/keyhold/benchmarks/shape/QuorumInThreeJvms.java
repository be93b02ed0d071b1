package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;

/** Contention between processes on a quorum. */
final class QuorumInThreeJvms extends LoopShape {
    QuorumInThreeJvms() {
        super(Crowd.IN_THREE_JVMS.jvms(), Crowd.IN_THREE_JVMS.plan(Target.QUORUM_LOCK, LoopPlan.Timed.ACQUIRE));
    }

    @Override
    public String id() {
        return "quorum-4x3";
    }

    @Override
    public String title() {
        return "One key on five servers, " + Crowd.IN_THREE_JVMS.text();
    }

    @Override
    public String description() {
        return "Three processes want the same lock on five independent servers, all the time. Latency is the wait for it.";
    }
}
