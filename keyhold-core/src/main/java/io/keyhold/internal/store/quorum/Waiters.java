package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.QueuePlace;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who of this client stands in line. A vote may reach a slow node after a later one, by which the waiter got the lock, or after it
 * has given up. It puts the place into the queue there all the same: then that has to be given up once more.
 */
final class Waiters {

    /** The places, each with the nodes that answered a vote when it was decided already. */
    private final Map<QueuePlace, Set<NodeStore>> places = new ConcurrentHashMap<>();

    void stand(QueuePlace place) {
        places.computeIfAbsent(place, added -> ConcurrentHashMap.newKeySet());
    }

    /** This node may have the place in its queue though a later vote took it out. */
    void answeredLate(QueuePlace place, NodeStore node) {
        places.computeIfPresent(place, (same, nodes) -> {
            nodes.add(node);
            return nodes;
        });
    }

    /** Answers the nodes that may have the place in their queues yet. */
    Set<NodeStore> leave(QueuePlace place) {
        Set<NodeStore> late = places.remove(place);
        return late == null ? Set.of() : late;
    }

    boolean haveLeft(QueuePlace place) {
        return !places.containsKey(place);
    }
}
