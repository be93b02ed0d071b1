package io.keyhold.internal.simulation;

import io.keyhold.internal.simulation.Scenario.Fault;
import java.util.List;
import java.util.Optional;

/** Injects faults at random times, until it ends. */
final class FaultInjector {

    private final Simulation simulation;
    private final Scenario scenario;
    private final List<SimulatedNode> nodes;
    private final List<SimulatedClient> clients;
    private final Optional<ReplicaGroup> group;
    private final long usualPause;
    private boolean over;

    FaultInjector(
            Simulation simulation,
            Scenario scenario,
            List<SimulatedNode> nodes,
            List<SimulatedClient> clients,
            Optional<ReplicaGroup> group) {
        this.group = group;
        this.simulation = simulation;
        this.scenario = scenario;
        this.nodes = nodes;
        this.clients = clients;
        this.usualPause = simulation.between(FaultProfile.SECOND / 2, 4 * FaultProfile.SECOND);
    }

    void start() {
        if (!scenario.faults().isEmpty()) {
            next();
        }
    }

    /** From now on everything works, and servers that were down return. */
    void end() {
        over = true;
        nodes.forEach(SimulatedNode::restart);
        group.ifPresent(ReplicaGroup::settle);
    }

    private void next() {
        simulation.after(simulation.between(0, 2 * usualPause), () -> {
            if (!over) {
                happen();
                next();
            }
        });
    }

    private <T> T any(List<T> some) {
        return some.get(simulation.random().nextInt(some.size()));
    }

    private void happen() {
        List<Fault> possible = List.copyOf(scenario.faults());
        SimulatedNode node = any(nodes);
        SimulatedClient client = any(clients);
        Link link = any(client.links());
        switch (any(possible)) {
            case CUTS -> link.cut(simulation.between(0, 3 * FaultProfile.SECOND));
            case STALLS -> stall(node, link);
            case CRASHES -> crash(node, true);
            case AMNESIA -> crash(node, false);
            case DEATHS -> {
                if (simulation.chance(0.3)
                        && clients.stream().filter(SimulatedClient::isAlive).count() > 2) {
                    client.die();
                }
            }
            case PAUSES -> pause(client);
            case WILD_CLOCKS -> wildClock(node, client);
            case FAILOVERS -> {
                if (node.isUp()) {
                    node.failOver();
                }
            }
            case PROMOTIONS -> group.orElseThrow().promoteAny();
            case LAG -> group.orElseThrow().lagAny();
            case IDLE_CLOSES -> link.closeIdle();
            case TWICE, LOST_MESSAGES, BACKLOG, DRIFT -> {}
        }
    }

    private void pause(SimulatedClient client) {
        if (client.isAlive() && !client.isPaused() && simulation.canGoOnWithout()) {
            client.pause(simulation.between(0, 8 * FaultProfile.SECOND));
        }
    }

    private void stall(SimulatedNode node, Link link) {
        long length = simulation.between(0, 4 * FaultProfile.SECOND);
        if (simulation.random().nextBoolean()) {
            link.stall(length);
        } else {
            node.stall(length);
        }
    }

    private void crash(SimulatedNode node, boolean withMemory) {
        if (node.isUp()) {
            node.crash(withMemory);
            simulation.after(
                    simulation.between(0, simulation.chance(0.5) ? FaultProfile.SECOND / 10 : 4 * FaultProfile.SECOND),
                    node::restart);
        }
    }

    private void wildClock(SimulatedNode node, SimulatedClient client) {
        SimulatedClock clock = simulation.random().nextBoolean() ? node.clock() : client.clock();
        long millis = simulation.between(-20_000, 20_000);
        simulation.note(
                "simulation",
                "sets",
                () -> "a clock of " + node.name() + " or " + client.name() + " by " + millis + " ms");
        if (simulation.random().nextBoolean()) {
            clock.set(millis);
        } else {
            clock.leap(Math.abs(millis) * FaultProfile.MILLI);
        }
    }
}
