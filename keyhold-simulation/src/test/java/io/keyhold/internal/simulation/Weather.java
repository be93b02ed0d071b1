package io.keyhold.internal.simulation;

import io.keyhold.internal.simulation.Scenario.Fault;

/** What the network is like in one run, and chances of what goes wrong. It clears up in the end. */
final class Weather {

    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;

    private final Simulation world;
    private final long usualDelay;
    private final long longDelay;
    private final double slow;
    private double cuts;
    private double twice;
    private double lostMessages;
    private double pauses;

    Weather(Simulation world, Scenario scenario) {
        this.world = world;
        this.usualDelay = world.between(MILLI / 10, 3 * MILLI);
        this.longDelay = world.between(5 * MILLI, 80 * MILLI);
        this.slow = world.chance(0.5) ? 0.05 : 0;
        this.cuts = rate(scenario, Fault.CUTS, 0.02);
        this.twice = rate(scenario, Fault.TWICE, 0.5);
        this.lostMessages = rate(scenario, Fault.LOST_MESSAGES, 0.1);
        this.pauses = rate(scenario, Fault.PAUSES, 0.003);
    }

    /** Some runs have much of it, others little. */
    private double rate(Scenario scenario, Fault fault, double most) {
        return scenario.has(fault)
                ? most * world.random().nextDouble() * world.random().nextDouble()
                : 0;
    }

    void clearUp() {
        cuts = 0;
        twice = 0;
        lostMessages = 0;
        pauses = 0;
    }

    /** How long a message is under way. */
    long delay() {
        return world.chance(slow) ? world.between(usualDelay, longDelay) : world.between(usualDelay / 4, usualDelay);
    }

    boolean cuts() {
        return world.chance(cuts);
    }

    boolean executesAgain() {
        return world.chance(twice);
    }

    boolean losesMessage() {
        return world.chance(lostMessages);
    }

    boolean pausesLong() {
        return pauses > 0 && world.chance(0.05);
    }

    boolean pauses() {
        return world.chance(pauses);
    }
}
