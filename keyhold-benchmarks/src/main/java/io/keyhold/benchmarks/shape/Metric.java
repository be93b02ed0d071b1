package io.keyhold.benchmarks.shape;

/** The number that a shape is about. */
public enum Metric {
    /** How often a lock was held. */
    HOLDS_PER_SECOND("holds/s", true),
    /** The median time from the release in one JVM to the end of the wait in another. */
    HANDOVER_MICROSECONDS("µs", false),
    /** The server's cost of keeping locks held. */
    COMMANDS_PER_SECOND("commands/s", false),
    /** The rate with the most holders as a share of that with the fewest. */
    RATE_KEPT("× the rate with the fewest holders", true),
    /** The time of a hold while a server is stopped, as a multiple of that with all servers up. */
    SLOWDOWN("× the time with all servers up", false);

    private final String unit;
    private final boolean higherIsBetter;

    Metric(String unit, boolean higherIsBetter) {
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /** Returns the unit of the values. */
    public String unit() {
        return unit;
    }

    /** Returns whether a larger value is better. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }
}
