package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.statistics.Latencies;
import java.util.Map;
import java.util.Optional;

/**
 * One round of one contender.
 *
 * @param value the shape's {@link Metric}
 * @param commandsPerHold commands of the server for each hold; where leases are renewed, for each lease in the time of its length
 * @param fewest the holds of the thread with the fewest
 * @param most the holds of the thread with the most
 * @param faults violations of exclusion, or lost leases: anything but zero is a bug
 * @param latencies as the shape describes
 * @param parts by what changes within a round, the number of other holders or of stopped servers; empty where nothing changes
 * @param footprint what held leases cost the client, where that is measured
 */
public record Measurement(
        double value,
        double commandsPerHold,
        long fewest,
        long most,
        long faults,
        Latencies latencies,
        Map<Integer, Part> parts,
        Optional<Footprint> footprint) {

    /** A round in which nothing changes. */
    public Measurement(double value, double commandsPerHold, long fewest, long most, long faults, Latencies latencies) {
        this(value, commandsPerHold, fewest, most, faults, latencies, Map.of(), Optional.empty());
    }
}
