package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.statistics.LatencyHistogram;

/**
 * A part of a round in which something changes.
 *
 * @param rate holds in a second
 * @param latencies as the shape describes
 */
public record Part(double rate, LatencyHistogram latencies) {

    /** Of a visit in which nothing changed, whose value is its holds in a second. */
    static Part of(Measurement visit) {
        return new Part(visit.value(), visit.latencies());
    }

    /** Both, which were equally long. */
    Part and(Part other) {
        LatencyHistogram both = new LatencyHistogram();
        both.add(latencies);
        both.add(other.latencies);
        return new Part((rate + other.rate) / 2, both);
    }
}
