package io.keyhold.benchmarks.worker;

/**
 * Threads that take and release locks as fast as they can.
 *
 * @param threads how many in one JVM
 * @param keys whether they share one key
 * @param timed what counts as latency
 */
public record LoopPlan(int threads, Keys keys, Timed timed) {

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
        return threads + " " + keys + " " + timed + " " + key;
    }

    static LoopPlan decode(String[] words) {
        return new LoopPlan(Integer.parseInt(words[1]), Keys.valueOf(words[2]), Timed.valueOf(words[3]));
    }
}
