package io.keyhold.benchmarks.statistics;

import java.util.Collection;

/** The middle of some numbers: one round that was disturbed does not move it. */
public final class Median {
    private Median() {}

    /** The middle one, or the mean of the two in the middle. */
    public static double of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("the median of no values");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
