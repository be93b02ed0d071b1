package io.keyhold.internal.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What servers know of releases, by token. No client can see this. */
final class Releases {

    private final List<SimulatedNode> nodes;
    private final Set<String> freed = new HashSet<>();
    private final Map<String, Set<SimulatedNode>> resting = new HashMap<>();
    private final Set<String> lostInFlight = new HashSet<>();

    /** {@code nodes} are all servers, as soon as they are there. */
    Releases(List<SimulatedNode> nodes) {
        this.nodes = nodes;
    }

    /** A server has freed what this token held. */
    void freed(String token) {
        freed.add(token);
    }

    /** This server keeps taken what this token held, for the rest that was asked for. */
    void rests(String token, SimulatedNode node) {
        resting.computeIfAbsent(token, first -> new HashSet<>()).add(node);
    }

    /** Returns whether a majority of the servers has begun the rest after the hold of this token. */
    boolean hasRested(String token) {
        return 2 * resting.getOrDefault(token, Set.of()).size() > nodes.size();
    }

    /** A release was sent on a connection that was alive, and its reply never arrived: nothing can be known of it. */
    void lostInFlight(String token) {
        lostInFlight.add(token);
    }

    /** Returns whether a client may believe that its release has freed what this token held. */
    boolean mayBeDone(String token) {
        return freed.contains(token) || lostInFlight.contains(token);
    }
}
