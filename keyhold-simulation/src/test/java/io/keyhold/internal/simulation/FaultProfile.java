package io.keyhold.internal.simulation;

import io.keyhold.internal.simulation.Scenario.Fault;

/** Delays and rates of faults in one run. The faults end before the run does. */
final class FaultProfile {

    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;

    /** Twice as long as a lease in a run with faults. */
    private static final long LONGEST_BACKLOG = 12 * SECOND;

    private final Simulation simulation;
    private final long usualDelay;
    private final long longDelay;
    private final double slow;
    private double cuts;
    private double twice;
    private double lostMessages;
    private double pauses;
    private double untold;
    private double backlogged;
    private final long longestBacklog;

    FaultProfile(Simulation simulation, Scenario scenario) {
        this.simulation = simulation;
        this.usualDelay = simulation.between(MILLI / 10, 3 * MILLI);
        this.longDelay = simulation.between(5 * MILLI, 80 * MILLI);
        this.slow = simulation.chance(0.5) ? 0.05 : 0;
        this.cuts = rate(scenario, Fault.CUTS, 0.02);
        this.twice = rate(scenario, Fault.TWICE, 0.5);
        this.lostMessages = rate(scenario, Fault.LOST_MESSAGES, 0.1);
        this.pauses = rate(scenario, Fault.PAUSES, 0.003);
        this.untold = scenario.has(Fault.LOST_MESSAGES) ? 0.2 : 0;
        this.longestBacklog = scenario.has(Fault.BACKLOG) ? simulation.between(0, LONGEST_BACKLOG) : 0;
        this.backlogged = scenario.isOnly(Fault.BACKLOG) ? 1 : rate(scenario, Fault.BACKLOG, 0.2);
    }

    /** Some runs have many faults, others few. */
    private double rate(Scenario scenario, Fault fault, double most) {
        return scenario.has(fault)
                ? most * simulation.random().nextDouble() * simulation.random().nextDouble()
                : 0;
    }

    void endFaults() {
        cuts = 0;
        twice = 0;
        lostMessages = 0;
        pauses = 0;
        untold = 0;
        backlogged = 0;
    }

    /** The longest time that a request waits in the client's own queue. */
    long longestBacklog() {
        return longestBacklog;
    }

    /** How long a request waits in the client's own queue before it is sent. */
    long backlog() {
        return simulation.chance(backlogged) ? simulation.between(longestBacklog / 2, longestBacklog) : 0;
    }

    /** Whether a client notices that the connection of its grant channel broke. */
    boolean tellsOfEnd() {
        return !simulation.chance(untold);
    }

    /** How long a message is in flight. */
    long delay() {
        return simulation.chance(slow)
                ? simulation.between(usualDelay, longDelay)
                : simulation.between(usualDelay / 4, usualDelay);
    }

    boolean cuts() {
        return simulation.chance(cuts);
    }

    boolean executesAgain() {
        return simulation.chance(twice);
    }

    boolean losesMessage() {
        return simulation.chance(lostMessages);
    }

    boolean pausesLong() {
        return pauses > 0 && simulation.chance(0.05);
    }

    boolean pauses() {
        return simulation.chance(pauses);
    }
}
