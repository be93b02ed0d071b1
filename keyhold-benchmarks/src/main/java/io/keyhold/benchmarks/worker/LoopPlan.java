package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Primitive;

/**
 * Threads that take and release as fast as they can.
 *
 * @param threads how many in one JVM
 * @param keys whether they share one key
 * @param timed what counts as latency
 * @param target what they take
 */
public record LoopPlan(int threads, Keys keys, Timed timed, Target target) {

    /** With locks. */
    public LoopPlan(int threads, Keys keys, Timed timed) {
        this(threads, keys, timed, Target.LOCK);
    }

    /** Which key a thread uses. */
    public enum Keys {
        /** All of them the same. */
        ONE,
        /** Each one its own. */
        OWN
    }

    /** What counts as latency. */
    public enum Timed {
        /** The way into the lock: the wait. */
        ACQUIRE,
        /** The way in and out again: the cost. */
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
