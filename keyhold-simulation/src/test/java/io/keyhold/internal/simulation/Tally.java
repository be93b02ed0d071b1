package io.keyhold.internal.simulation;

import java.util.Locale;

/** How much was simulated. */
final class Tally {

    private final long begun = System.nanoTime();
    private long runs;
    private long grants;
    private long steps;
    private long virtualNanos;

    void add(Run.Result result) {
        runs++;
        grants += result.grants();
        steps += result.steps();
        virtualNanos += result.virtualNanos();
    }

    long grants() {
        return grants;
    }

    double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d runs in %.0f s (%.0f a minute), %.1f hours of virtual time, %d leases, %d steps",
                runs,
                seconds(),
                runs / seconds() * 60,
                virtualNanos / 3.6e12,
                grants,
                steps);
    }
}
