package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.shape.Footprint;
import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.shape.Part;
import io.keyhold.benchmarks.statistics.Latencies;
import io.keyhold.benchmarks.statistics.Median;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All rounds of one contender in one shape, and their summary. */
public final class Figures {
    private final List<Measurement> rounds = new ArrayList<>();

    /** Adds a round. */
    public void add(Measurement round) {
        rounds.add(round);
    }

    /** Returns the rounds in their order. */
    public List<Measurement> rounds() {
        return List.copyOf(rounds);
    }

    /** Returns the median of the shape's metric. */
    public double value() {
        return Median.of(rounds.stream().map(Measurement::value).toList());
    }

    /** Returns what held leases cost the client, where that is measured. */
    public Optional<Footprint> footprint() {
        return middleRound().footprint();
    }

    /** Returns the median of the commands per hold. */
    public double commandsPerHold() {
        return Median.of(rounds.stream().map(Measurement::commandsPerHold).toList());
    }

    /** Returns the latencies of all rounds together. */
    public Latencies latencies() {
        Latencies all = new Latencies();
        rounds.forEach(round -> all.add(round.latencies()));
        return all;
    }

    /** Returns the median of the holds per second in this part of the rounds. */
    public double rate(int part) {
        return Median.of(rounds.stream()
                .map(round -> Optional.ofNullable(round.parts().get(part))
                        .map(Part::rate)
                        .orElse(Double.NaN))
                .toList());
    }

    /** Returns the latencies of this part of all rounds together. */
    public Latencies latencies(int part) {
        Latencies all = new Latencies();
        rounds.forEach(round -> Optional.ofNullable(round.parts().get(part))
                .map(Part::latencies)
                .ifPresent(all::add));
        return all;
    }

    /** Returns the round with the median value, for what has no mean: the fewest and the most holds of a thread. */
    public Measurement middleRound() {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(Measurement::value))
                .toList()
                .get(rounds.size() / 2);
    }

    /** Returns the violations of exclusion and lost leases of all rounds. */
    public long faults() {
        return rounds.stream().mapToLong(Measurement::faults).sum();
    }
}
