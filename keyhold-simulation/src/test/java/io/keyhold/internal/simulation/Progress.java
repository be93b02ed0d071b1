package io.keyhold.internal.simulation;

import java.util.List;

/** Nobody waits for long for what nobody holds. */
final class Progress {

    private static final long BOUND_AFTER_RETURN = 2 * Weather.SECOND;

    private final Simulation world;
    private final History history;
    private final List<SimulatedNode> nodes;
    private long lastBusy;
    private boolean wasBusy = true;
    private long bound = Long.MAX_VALUE;
    private long boundAfterReturn = Long.MAX_VALUE;

    Progress(Simulation world, History history, List<SimulatedNode> nodes) {
        this.world = world;
        this.history = history;
        this.nodes = nodes;
    }

    /** From now on, nobody may wait for longer than this. */
    void expect(long nanos) {
        bound = nanos;
        lastBusy = world.now();
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
            lastBusy = world.now();
        } else if (world.now() - lastBusy > bound) {
            world.violated("somebody waits, and nobody has held anything for " + bound / Weather.MILLI + " ms");
        }
    }

    private void checkAfterReturn() {
        for (SimulatedNode node : nodes) {
            long since = node.backSince().orElse(Long.MAX_VALUE);
            if (since != Long.MAX_VALUE
                    && boundAfterReturn != Long.MAX_VALUE
                    && world.now() - since > boundAfterReturn
                    && history.isAnybodyUnservedSince(since)) {
                world.violated("none of those that waited through the outage of " + node.name() + " was served within "
                        + boundAfterReturn / Weather.MILLI + " ms");
            }
        }
    }
}
