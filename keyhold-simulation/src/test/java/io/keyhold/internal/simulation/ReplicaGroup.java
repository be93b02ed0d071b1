package io.keyhold.internal.simulation;

import java.util.ArrayList;
import java.util.List;

/** A master and its replicas. Any replica may be promoted, also one that has not got what others have. */
final class ReplicaGroup {

    private static final double ASKS_A_LATE_SENTINEL = 0.3;
    private static final double FOLLOWS_LATE = 0.3;

    private final Simulation simulation;
    private final List<ReplicatedNode> servers;
    /** How long a master may go on, at most, and keep replicas, after another was promoted. */
    private final long longestOverlap;

    private ReplicatedNode master;
    private ReplicatedNode previous;
    private int promotions;

    ReplicaGroup(Simulation simulation, List<ReplicatedNode> servers, long longestOverlap) {
        this.simulation = simulation;
        this.servers = List.copyOf(servers);
        this.longestOverlap = longestOverlap;
        master = servers.get(0);
        previous = master;
        promotions = 1;
        master.found();
        servers.forEach(server -> server.follow(master, promotions));
        servers.forEach(ReplicatedNode::syncNow);
    }

    /** How many replicas are a majority, with the master. */
    int replicasOfMajority() {
        return servers.size() / 2;
    }

    /** The master, as a sentinel says. It may not have heard of the last promotion. */
    ReplicatedNode master() {
        return previous.isMaster() && simulation.chance(ASKS_A_LATE_SENTINEL) ? previous : master;
    }

    /** A replica is promoted; the others follow it sooner or later. */
    void promoteAny() {
        List<ReplicatedNode> candidates = new ArrayList<>(servers);
        candidates.removeIf(server -> server.isMaster() || !server.isUp());
        if (candidates.isEmpty()) {
            return;
        }
        ReplicatedNode next = candidates.get(simulation.random().nextInt(candidates.size()));
        previous = master;
        master = next;
        int promotion = ++promotions;
        next.promote(promotion);
        for (ReplicatedNode server : servers) {
            boolean late = server.isMaster() || simulation.chance(FOLLOWS_LATE);
            long after = simulation.between(0, late ? longestOverlap : 2 * FaultProfile.SECOND);
            simulation.after(after, () -> server.follow(next, promotion));
        }
    }

    void lagAny() {
        servers.get(simulation.random().nextInt(servers.size())).lag(simulation.between(0, 4 * FaultProfile.SECOND));
    }

    /** All follow the last master that was promoted. */
    void settle() {
        servers.forEach(server -> server.follow(master, promotions));
    }
}
