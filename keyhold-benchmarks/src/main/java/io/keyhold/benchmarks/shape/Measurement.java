package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.statistics.LatencyHistogram;
import java.util.Map;

/**
 * One round of one contender.
 *
 * @param value the shape's {@link Metric}
 * @param commandsPerHold what the server ran for each hold
 * @param fewest the holds of the thread that had the fewest
 * @param most the holds of the thread that had the most
 * @param faults broken exclusions or lost leases: anything but zero is a bug
 * @param latencies as the shape describes
 * @param parts by what changes within a round, which is the number of other holders or of stopped servers; empty where
 *     nothing changes
 */
public record Measurement(
        double value,
        double commandsPerHold,
        long fewest,
        long most,
        long faults,
        LatencyHistogram latencies,
        Map<Integer, Part> parts) {

    /** Of a shape in which nothing changes within a round. */
    public Measurement(
            double value, double commandsPerHold, long fewest, long most, long faults, LatencyHistogram latencies) {
        this(value, commandsPerHold, fewest, most, faults, latencies, Map.of());
    }
}
