package io.keyhold.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Where a value stands on an axis, from 0 to 1. */
final class Scale {

    /** Beyond this ratio a small bar on a linear axis could not be seen. */
    private static final double MOST_FOR_LINEAR = 25;

    private static final int[] STEPS = {1, 2, 5, 10};
    private static final int MOST_TICKS = 5;

    private final boolean logarithmic;
    private final double low;
    private final double high;

    private Scale(boolean logarithmic, double low, double high) {
        this.logarithmic = logarithmic;
        this.low = low;
        this.high = high;
    }

    /** A linear one from zero, or a logarithmic one when the values lie far apart. */
    static Scale fitting(List<Double> values) {
        double largest = values.stream().mapToDouble(value -> value).max().orElse(1);
        double smallest = values.stream()
                .mapToDouble(value -> value)
                .filter(value -> value > 0)
                .min()
                .orElse(1);
        return largest / smallest > MOST_FOR_LINEAR ? logarithmic(smallest, largest) : new Scale(false, 0, largest);
    }

    /** From the power of ten below the smallest value, with some room, so that its bar can be seen too. */
    static Scale logarithmic(double smallest, double largest) {
        double low = Math.pow(10, Math.floor(Math.log10(smallest * 0.7)));
        return new Scale(true, low, Math.max(largest, low * 10));
    }

    boolean isLogarithmic() {
        return logarithmic;
    }

    double position(double value) {
        double position = logarithmic
                ? Math.log10(Math.max(value, low) / low) / Math.log10(high / low)
                : (value - low) / (high - low);
        return Math.max(0, Math.min(1, position));
    }

    /** Round values along the axis. */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            for (double tick = low; tick <= high * 1.0001; tick *= 10) {
                ticks.add(tick);
            }
        } else {
            double step = roundStep();
            for (double tick = 0; tick <= high * 1.0001; tick += step) {
                ticks.add(tick);
            }
        }
        return ticks;
    }

    private double roundStep() {
        double power = Math.pow(10, Math.floor(Math.log10(high / MOST_TICKS)));
        for (int step : STEPS) {
            if (high / (step * power) <= MOST_TICKS) {
                return step * power;
            }
        }
        return power * 10;
    }
}
