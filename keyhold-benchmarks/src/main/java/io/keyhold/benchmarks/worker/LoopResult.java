package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.statistics.Latencies;

/**
 * The result of a loop in one JVM.
 *
 * @param holds how many locks were held and released in the measured time
 * @param nanos the measured time
 * @param fewest the holds of the thread with the fewest
 * @param most the holds of the thread with the most
 * @param violations how often mutual exclusion was violated, in the whole round
 * @param latencies of each hold
 */
public record LoopResult(long holds, long nanos, long fewest, long most, long violations, Latencies latencies) {

    /** Returns the holds per second. */
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
                Latencies.decode(words[6]));
    }
}
