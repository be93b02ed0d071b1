package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.statistics.Latencies;

/**
 * A part of a round, in a shape that changes something within a round.
 *
 * @param rate holds per second
 * @param latencies as the shape describes
 */
public record Part(double rate, Latencies latencies) {

    /** Returns the part that was measured as a loop, whose value is its holds per second. */
    static Part of(Measurement loop) {
        return new Part(loop.value(), loop.latencies());
    }

    /** Returns the mean of two parts of equal length. */
    Part and(Part other) {
        Latencies both = new Latencies();
        both.add(latencies);
        both.add(other.latencies);
        return new Part((rate + other.rate) / 2, both);
    }
}
