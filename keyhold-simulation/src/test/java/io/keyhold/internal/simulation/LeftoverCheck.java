package io.keyhold.internal.simulation;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.spi.CallMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is left on nodes and in clients at the end. */
final class LeftoverCheck {

    private static final List<String> KEYS = List.of("a", "b", "c");

    private final List<SimulatedNode> nodes;
    private final List<SimulatedClient> clients;
    private final boolean placesMayStay;

    LeftoverCheck(List<SimulatedNode> nodes, List<SimulatedClient> clients, boolean placesMayStay) {
        this.placesMayStay = placesMayStay;
        this.nodes = nodes;
        this.clients = clients;
    }

    /** The waiters in the queues of this node. */
    static Set<LockWaiter> waiters(SimulatedNode node) {
        Set<LockWaiter> waiters = new HashSet<>();
        KEYS.forEach(key -> waiters.addAll(snapshot(node.store(), key).queue()));
        return waiters;
    }

    /**
     * Returns holds, and queue entries whose grant channel is open: other entries are skipped by the next operation. An entry of a
     * request that was executed once more after its end costs one superfluous message, and ends with the queue.
     */
    List<String> onNodes() {
        List<String> left = new ArrayList<>();
        for (SimulatedNode node : nodes) {
            for (String key : KEYS) {
                LockSnapshot seen = snapshot(node.store(), key);
                seen.holders().forEach(hold -> left.add(node.name() + " has " + key + " held by " + hold.token()));
                seen.queue().stream()
                        .filter(waiter -> !placesMayStay && node.isHeard(waiter))
                        .filter(waiter -> !node.waitersByRepetition().contains(waiter))
                        .forEach(waiter -> left.add(node.name() + " has in the queue of " + key + " " + waiter));
            }
        }
        return left;
    }

    static LockSnapshot snapshot(NodeStore store, String key) {
        Optional<LockSnapshot> permits = store.lookAtPermits(key, CallMode.ASYNCHRONOUS)
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
