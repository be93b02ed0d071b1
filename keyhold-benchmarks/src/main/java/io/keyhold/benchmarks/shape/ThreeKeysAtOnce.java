package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;

/** The price of several locks that nobody contends for. */
final class ThreeKeysAtOnce extends LoopShape {
    private static final int KEYS = 3;

    private final int threads;

    ThreeKeysAtOnce(int threads) {
        super(1, new LoopPlan(threads, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE, Target.allOf(KEYS)));
        this.threads = threads;
    }

    @Override
    public String id() {
        return "three-keys-" + threads;
    }

    @Override
    public String title() {
        return threads == 1
                ? "Three free keys at once, one thread"
                : "Three free keys at once, " + threads + " threads, each its own";
    }

    @Override
    public String description() {
        return "Three locks that nobody else wants are taken as one, and released. Latency is that of acquire and release"
                + " together.";
    }
}
