package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.statistics.LatencyHistogram;

/**
 * What the threads of one JVM did within the measured time.
 *
 * @param holds how often they held a lock
 * @param nanos how long that time was
 * @param fewest the holds of the thread that had the fewest
 * @param most the holds of the thread that had the most
 * @param violations how often mutual exclusion was broken, in the whole round
 * @param latencies of each hold
 */
public record LoopResult(long holds, long nanos, long fewest, long most, long violations, LatencyHistogram latencies) {

    /** Holds in a second. */
    public double rate() {
        return holds * 1e9 / nanos;
    }

    String encode() {
        return holds + " " + nanos + " " + fewest + " " + most + " " + violations + " " + latencies.encode();
    }

    static LoopResult decode(String line) {
        String[] words = line.split(" ", -1);
        return new LoopResult(
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                LatencyHistogram.decode(words[6]));
    }
}
