package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;

/**
 * Threads that want the same.
 *
 * @param threads in each JVM
 * @param jvms how many of these
 */
record Crowd(int threads, int jvms) {
    static final Crowd IN_ONE_JVM = new Crowd(8, 1);
    static final Crowd IN_THREE_JVMS = new Crowd(4, 3);

    /** For the ids of shapes. */
    String id() {
        return jvms == 1 ? String.valueOf(threads) : threads + "x" + jvms;
    }

    /** For people. */
    String text() {
        return jvms == 1 ? threads + " threads of one JVM" : threads + " threads in each of " + jvms + " JVMs";
    }

    LoopPlan plan(Target target, LoopPlan.Timed timed) {
        return new LoopPlan(threads, LoopPlan.Keys.ONE, timed, target);
    }
}
