package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;

/** The price of a lock on a quorum that nobody contends for. */
final class QuorumAlone extends LoopShape {
    QuorumAlone() {
        super(1, new LoopPlan(1, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE, Target.QUORUM_LOCK));
    }

    @Override
    public String id() {
        return "quorum-own-1";
    }

    @Override
    public String title() {
        return "Own key on five servers, one thread";
    }

    @Override
    public String description() {
        return "One thread takes and releases a lock on five independent servers that nobody else wants. Latency is that of"
                + " acquire and release together.";
    }
}
