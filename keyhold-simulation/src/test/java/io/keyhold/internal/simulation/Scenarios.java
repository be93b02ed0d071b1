package io.keyhold.internal.simulation;

import io.keyhold.internal.simulation.Scenario.Fault;
import io.keyhold.internal.simulation.Scenario.Kind;

/** The scenarios that are run, by name. */
@SuppressWarnings("ImmutableEnumChecker") // A scenario does not change.
enum Scenarios {
    CALM_QUORUM(Scenario.calm(Kind.QUORUM)),
    CHAOS_QUORUM(Scenario.chaos(Kind.QUORUM)),
    FORGETFUL_QUORUM(Scenario.of(Kind.QUORUM, Fault.AMNESIA, Fault.DRIFT)),
    PAUSED_QUORUM(Scenario.of(Kind.QUORUM, Fault.PAUSES, Fault.DRIFT)),
    WILD_QUORUM(Scenario.wild(Kind.QUORUM)),
    CALM_MUTEX(Scenario.calm(Kind.MUTEX)),
    CHAOS_MUTEX(Scenario.chaos(Kind.MUTEX)),
    WILD_MUTEX(Scenario.wild(Kind.MUTEX)),
    CALM_SEMAPHORE(Scenario.calm(Kind.SEMAPHORE)),
    CHAOS_SEMAPHORE(Scenario.chaos(Kind.SEMAPHORE)),
    WILD_SEMAPHORE(Scenario.wild(Kind.SEMAPHORE)),
    CALM_READ_WRITE(Scenario.calm(Kind.READ_WRITE)),
    CHAOS_READ_WRITE(Scenario.chaos(Kind.READ_WRITE)),
    WILD_READ_WRITE(Scenario.wild(Kind.READ_WRITE)),
    CALM_ALL_OF(Scenario.calm(Kind.ALL_OF)),
    CHAOS_ALL_OF(Scenario.chaos(Kind.ALL_OF)),
    WILD_ALL_OF(Scenario.wild(Kind.ALL_OF)),
    FAILOVER_MUTEX(Scenario.of(Kind.MUTEX, Fault.FAILOVERS)),
    FAILOVER_SEMAPHORE(Scenario.of(Kind.SEMAPHORE, Fault.FAILOVERS)),
    FAILOVER_READ_WRITE(Scenario.of(Kind.READ_WRITE, Fault.FAILOVERS)),
    FAILOVER_ALL_OF(Scenario.of(Kind.ALL_OF, Fault.FAILOVERS)),
    FAILOVER_QUORUM(Scenario.of(Kind.QUORUM, Fault.FAILOVERS)),
    FORGETFUL_MUTEX(Scenario.of(Kind.MUTEX, Fault.AMNESIA, Fault.IDLE_CLOSES)),
    FORGETFUL_SEMAPHORE(Scenario.of(Kind.SEMAPHORE, Fault.AMNESIA, Fault.IDLE_CLOSES)),
    FORGETFUL_ALL_OF(Scenario.of(Kind.ALL_OF, Fault.AMNESIA, Fault.IDLE_CLOSES)),
    BACKLOG_MUTEX(Scenario.of(Kind.MUTEX, Fault.BACKLOG)),
    BACKLOG_SEMAPHORE(Scenario.of(Kind.SEMAPHORE, Fault.BACKLOG)),
    OUTAGE_MUTEX(Scenario.of(Kind.MUTEX, Fault.CRASHES)),
    OUTAGE_SEMAPHORE(Scenario.of(Kind.SEMAPHORE, Fault.CRASHES)),
    OUTAGE_ALL_OF(Scenario.of(Kind.ALL_OF, Fault.CRASHES)),
    OUTAGE_QUORUM(Scenario.of(Kind.QUORUM, Fault.CRASHES)),
    CALM_DURABLE(Scenario.calm(Kind.DURABLE)),
    FAILOVER_DURABLE(Scenario.of(Kind.DURABLE, Fault.PROMOTIONS, Fault.LAG)),
    FORGETFUL_DURABLE(Scenario.of(Kind.DURABLE, Fault.PROMOTIONS, Fault.LAG, Fault.CRASHES, Fault.AMNESIA)),
    CHAOS_DURABLE(Scenario.chaos(Kind.DURABLE));

    private static final int LINES_TO_READ = 300;

    private final Scenario scenario;

    Scenarios(Scenario scenario) {
        this.scenario = scenario;
    }

    Scenario scenario() {
        return scenario;
    }

    /** Fails with all that is needed to find out why, and to see it again. */
    Run.Result run(long seed) {
        Run.Result result = new Run(scenario, seed, Mutation.NONE, LINES_TO_READ).go();
        result.violation().ifPresent(violation -> {
            throw new AssertionError(
                    name() + " with seed " + seed + ": " + violation.getMessage()
                            + "\n"
                            + "replay it with: mvn -pl keyhold-simulation -am test"
                            + " -Dsurefire.failIfNoSpecifiedTests=false -Dtest=SimulationReplay"
                            + " -Dkeyhold.simulation.scenario=" + name()
                            + " -Dkeyhold.simulation.seed=" + seed + "\nthe end of it:\n" + result.trace(),
                    violation);
        });
        return result;
    }
}
