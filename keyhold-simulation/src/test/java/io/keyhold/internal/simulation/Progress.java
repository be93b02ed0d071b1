package io.keyhold.internal.simulation;

import java.util.List;

/** Nobody waits for long for what nobody holds. */
final class Progress {

    private static final long BOUND_AFTER_RETURN = 2 * FaultProfile.SECOND;

    private final Simulation simulation;
    private final History history;
    private final List<SimulatedNode> nodes;
    private long lastBusy;
    private boolean wasBusy = true;
    private long bound = Long.MAX_VALUE;
    private long boundAfterReturn = Long.MAX_VALUE;

    Progress(Simulation simulation, History history, List<SimulatedNode> nodes) {
        this.simulation = simulation;
        this.history = history;
        this.nodes = nodes;
    }

    /** From now on, nobody may wait for longer than this. */
    void expect(long nanos) {
        bound = nanos;
        lastBusy = simulation.now();
    }

    /** Whenever a server is back that has lost all it knew, one of those that waited through its outage is served soon. */
    void expectAfterReturn() {
        boundAfterReturn = BOUND_AFTER_RETURN;
    }

    void check() {
        checkAfterReturn();
        if (bound == Long.MAX_VALUE) {
            return;
        }
        boolean busy = !history.isAnybodyWaiting()
                || history.isAnybodyHolding()
                || nodes.stream().noneMatch(SimulatedNode::isUp);
        if (busy || wasBusy) { // Whatever ended since the last look may have ended just now.
            wasBusy = busy;
            lastBusy = simulation.now();
        } else if (simulation.now() - lastBusy > bound) {
            simulation.violated(
                    "somebody waits, and nobody has held anything for " + bound / FaultProfile.MILLI + " ms");
        }
    }

    private void checkAfterReturn() {
        for (SimulatedNode node : nodes) {
            long since = node.backSince().orElse(Long.MAX_VALUE);
            if (since != Long.MAX_VALUE
                    && boundAfterReturn != Long.MAX_VALUE
                    && simulation.now() - since > boundAfterReturn
                    && history.isAnybodyUnservedSince(since)) {
                simulation.violated("none of those that waited through the outage of " + node.name()
                        + " was served within " + boundAfterReturn / FaultProfile.MILLI + " ms");
            }
        }
    }
}
