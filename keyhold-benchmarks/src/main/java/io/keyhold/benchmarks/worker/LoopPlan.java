package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Primitive;

/**
 * Threads that acquire and release as fast as they can.
 *
 * @param threads how many in one JVM
 * @param keys whether they share one key
 * @param timed what counts as latency
 * @param target what they acquire
 */
public record LoopPlan(int threads, Keys keys, Timed timed, Target target) {

    /** Which key a thread uses. */
    public enum Keys {
        /** All threads use the same. */
        ONE,
        /** Each thread has its own. */
        OWN
    }

    /** What counts as latency. */
    public enum Timed {
        /** The wait. */
        ACQUIRE,
        /** The cost. */
        ACQUIRE_AND_RELEASE
    }

    String encode(String key) {
        return threads + " " + keys + " " + timed + " " + target.primitive() + " " + target.number() + " " + key;
    }

    static LoopPlan decode(String[] words) {
        Target target = new Target(Primitive.valueOf(words[4]), Integer.parseInt(words[5]));
        return new LoopPlan(Integer.parseInt(words[1]), Keys.valueOf(words[2]), Timed.valueOf(words[3]), target);
    }
}
