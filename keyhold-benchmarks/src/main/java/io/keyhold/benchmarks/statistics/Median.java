package io.keyhold.benchmarks.statistics;

import java.util.Collection;

/** The median of the rounds: one disturbed round does not move it. */
public final class Median {
    private Median() {}

    /** Returns the middle value, or the mean of the two middle values. */
    public static double of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("the median needs at least one value");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
