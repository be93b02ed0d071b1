package io.keyhold.internal.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One gate for each lock that this client wants or holds. One request of the client is ahead: it asks the store, waits there
 * and holds the lock, while the others wait here in the order in which they came. When the one ahead is done, whatever
 * became of it, the next goes ahead; so the store is asked once for a whole crowd, and the lock can be passed on within
 * it.
 *
 * @param <W> who waits
 */
final class Gates<W> {

    private final Map<String, Gate<W>> gates = new ConcurrentHashMap<>();

    private static final class Gate<W> {
        W ahead;
        final LinkedHashSet<W> waiting = new LinkedHashSet<>();

        Gate(W ahead) {
            this.ahead = ahead;
        }
    }

    /** Comes to the gate. True: go ahead. False: wait to be called. */
    boolean enter(String key, W newcomer) {
        AtomicBoolean ahead = new AtomicBoolean();
        gates.compute(key, (same, gate) -> {
            if (gate == null) {
                ahead.set(true);
                return new Gate<>(newcomer);
            }
            gate.waiting.add(newcomer);
            return gate;
        });
        return ahead.get();
    }

    /** Waits no longer. Of no effect on one that does not wait, or not any more. */
    void leave(String key, W waiter) {
        gates.computeIfPresent(key, (same, gate) -> {
            gate.waiting.remove(waiter);
            return gate;
        });
    }

    /** The one ahead is done. Answers who is ahead now; if nobody waits, the gate is open for whoever comes. */
    Optional<W> next(String key) {
        List<W> called = new ArrayList<>(1);
        gates.computeIfPresent(key, (same, gate) -> {
            Iterator<W> waiting = gate.waiting.iterator();
            if (!waiting.hasNext()) {
                return null;
            }
            gate.ahead = waiting.next();
            waiting.remove();
            called.add(gate.ahead);
            return gate;
        });
        return called.stream().findFirst();
    }

    /** Who is ahead, for messages. */
    Optional<W> ahead(String key) {
        List<W> ahead = new ArrayList<>(1);
        gates.computeIfPresent(key, (same, gate) -> {
            ahead.add(gate.ahead);
            return gate;
        });
        return ahead.stream().findFirst();
    }

    boolean isEmpty() {
        return gates.isEmpty();
    }
}
