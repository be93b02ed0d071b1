package io.keyhold.internal.simulation;

import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.spi.CallMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is left on nodes and in clients when everybody is done. */
final class Leftovers {

    private static final List<String> KEYS = List.of("a", "b", "c");

    private final List<SimulatedNode> nodes;
    private final List<SimulatedClient> clients;
    private final boolean placesMayStay;

    Leftovers(List<SimulatedNode> nodes, List<SimulatedClient> clients, boolean placesMayStay) {
        this.placesMayStay = placesMayStay;
        this.nodes = nodes;
        this.clients = clients;
    }

    /** Where somebody stands in line on this node. */
    static Set<QueuePlace> places(SimulatedNode node) {
        Set<QueuePlace> places = new HashSet<>();
        KEYS.forEach(key -> places.addAll(view(node, key).queue()));
        return places;
    }

    /**
     * Holds, and places whose inbox is open: all others are passed by when somebody comes. A place that a request left which came
     * once more after its end costs one message that nobody needs, and is gone with the queue.
     */
    List<String> onNodes() {
        List<String> left = new ArrayList<>();
        for (SimulatedNode node : nodes) {
            for (String key : KEYS) {
                LockView view = view(node, key);
                view.holds().forEach(hold -> left.add(node.name() + " has " + key + " held by " + hold.token()));
                view.queue().stream()
                        .filter(place -> !placesMayStay && node.isHeard(place))
                        .filter(place -> !node.placesByRepetition().contains(place))
                        .forEach(place -> left.add(node.name() + " has in the queue of " + key + " " + place));
            }
        }
        return left;
    }

    private static LockView view(SimulatedNode node, String key) {
        return view(node.store(), key);
    }

    static LockView view(NodeStore store, String key) {
        Optional<LockView> permits = store.lookAtPermits(key, CallMode.ASYNCHRONOUS)
                .toCompletableFuture()
                .join();
        return permits.orElseGet(() ->
                store.look(key, CallMode.ASYNCHRONOUS).toCompletableFuture().join());
    }

    List<String> timers() {
        return clients.stream()
                .filter(client -> client.isAlive() && client.pendingTimers() > 0)
                .map(client -> client.name() + " has " + client.pendingTimers() + " timers")
                .toList();
    }
}
