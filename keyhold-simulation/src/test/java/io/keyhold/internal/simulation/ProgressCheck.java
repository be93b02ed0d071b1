package io.keyhold.internal.simulation;

import java.util.List;

/** Checks that no request waits for long for what is free. */
final class ProgressCheck {

    private static final long BOUND_AFTER_RETURN = 2 * FaultProfile.SECOND;

    private final Simulation simulation;
    private final HoldHistory history;
    private final List<SimulatedNode> nodes;
    private long lastBusy;
    private boolean wasBusy = true;
    private long bound = Long.MAX_VALUE;
    private long boundAfterReturn = Long.MAX_VALUE;

    ProgressCheck(Simulation simulation, HoldHistory history, List<SimulatedNode> nodes) {
        this.simulation = simulation;
        this.history = history;
        this.nodes = nodes;
    }

    /** From now on, no request may wait for longer than this for a free lock. */
    void expect(long nanos) {
        bound = nanos;
        lastBusy = simulation.now();
    }

    /** When a server returns that has lost its data, one of the requests that waited through the outage is served soon. */
    void expectAfterReturn() {
        boundAfterReturn = BOUND_AFTER_RETURN;
    }

    void check() {
        checkAfterReturn();
        if (bound == Long.MAX_VALUE) {
            return;
        }
        boolean busy = !history.hasWaiterForWhatIsFree() || nodes.stream().noneMatch(SimulatedNode::isUp);
        if (busy || wasBusy) { // What ended since the last check may have ended just now.
            wasBusy = busy;
            lastBusy = simulation.now();
        } else if (simulation.now() - Math.max(lastBusy, history.lastGrant()) > bound) {
            simulation.violated("a request waits, and enough has been free for " + bound / FaultProfile.MILLI + " ms");
        }
    }

    private void checkAfterReturn() {
        for (SimulatedNode node : nodes) {
            long since = node.backSince().orElse(Long.MAX_VALUE);
            if (since != Long.MAX_VALUE
                    && boundAfterReturn != Long.MAX_VALUE
                    && simulation.now() - since > boundAfterReturn
                    && history.hasUnservedSince(since)) {
                simulation.violated("none of the requests that waited through the outage of " + node.name()
                        + " was served within " + boundAfterReturn / FaultProfile.MILLI + " ms");
            }
        }
    }
}
