package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.shape.Part;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import io.keyhold.benchmarks.statistics.Median;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All rounds of one contender in one shape, and what is said of them. */
public final class Figures {
    private final List<Measurement> rounds = new ArrayList<>();

    /** One more round. */
    public void add(Measurement round) {
        rounds.add(round);
    }

    /** The rounds as they came. */
    public List<Measurement> rounds() {
        return List.copyOf(rounds);
    }

    /** The median of the shape's metric. */
    public double value() {
        return Median.of(rounds.stream().map(Measurement::value).toList());
    }

    /** The smallest value of a round. */
    public double lowest() {
        return rounds.stream().mapToDouble(Measurement::value).min().orElse(0);
    }

    /** The largest value of a round. */
    public double highest() {
        return rounds.stream().mapToDouble(Measurement::value).max().orElse(0);
    }

    /** The median of the commands that the server ran for each hold. */
    public double commandsPerHold() {
        return Median.of(rounds.stream().map(Measurement::commandsPerHold).toList());
    }

    /** The latencies of all rounds together. */
    public LatencyHistogram latencies() {
        LatencyHistogram all = new LatencyHistogram();
        rounds.forEach(round -> all.add(round.latencies()));
        return all;
    }

    /** The median of the holds in a second in this part of the rounds. */
    public double rate(int part) {
        return Median.of(rounds.stream()
                .map(round -> Optional.ofNullable(round.parts().get(part))
                        .map(Part::rate)
                        .orElse(Double.NaN))
                .toList());
    }

    /** The latencies of this part of all rounds together. */
    public LatencyHistogram latencies(int part) {
        LatencyHistogram all = new LatencyHistogram();
        rounds.forEach(round -> Optional.ofNullable(round.parts().get(part))
                .map(Part::latencies)
                .ifPresent(all::add));
        return all;
    }

    /** A round in the middle, for what cannot be averaged: the fewest and the most holds of a thread. */
    public Measurement middleRound() {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(Measurement::value))
                .toList()
                .get(rounds.size() / 2);
    }

    /** Broken exclusions and lost leases of all rounds. */
    public long faults() {
        return rounds.stream().mapToLong(Measurement::faults).sum();
    }
}
