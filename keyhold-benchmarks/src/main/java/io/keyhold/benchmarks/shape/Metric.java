package io.keyhold.benchmarks.shape;

/** The one number that a shape is about. */
public enum Metric {
    /** How often a lock was held. */
    HOLDS_PER_SECOND("holds/s", true),
    /** The median time from a release in one JVM to the entry in another. */
    HANDOVER_MICROSECONDS("µs", false),
    /** What it costs the server to keep locks held. */
    COMMANDS_PER_SECOND("commands/s", false),
    /** How much of its speed is left among the most holders. */
    RATE_KEPT("× the rate among the fewest holders", true),
    /** How much longer it takes while a server is stopped. */
    SLOWDOWN("× the time with all servers up", false);

    private final String unit;
    private final boolean higherIsBetter;

    Metric(String unit, boolean higherIsBetter) {
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /** For people. */
    public String unit() {
        return unit;
    }

    /** Which way is good. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }
}
