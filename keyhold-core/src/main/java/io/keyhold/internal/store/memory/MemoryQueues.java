package io.keyhold.internal.store.memory;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.QueuePlace;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The waiters for the locks, or for the permits, of a {@link MemoryStore}. Under the store's guard. */
final class MemoryQueues {

    private final Map<String, LinkedHashSet<QueuePlace>> queues = new HashMap<>();
    private final MemoryGrantChannels channels;

    MemoryQueues(MemoryGrantChannels channels) {
        this.channels = channels;
    }

    /** Adds an entry at the end of the queue, unless it is there already. */
    void join(String key, QueuePlace place) {
        queues.computeIfAbsent(key, empty -> new LinkedHashSet<>()).add(place);
    }

    void leave(String key, QueuePlace place) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        if (queue != null && queue.remove(place) && queue.isEmpty()) {
            queues.remove(key);
        }
    }

    /** Returns the first, whether its client listens or not. */
    Optional<QueuePlace> head(String key) {
        return shown(key, 1).stream().findFirst();
    }

    /** Returns the first whose client listens, or which is the given one. Entries before it are removed. */
    Optional<QueuePlace> first(String key, Optional<QueuePlace> own) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        if (queue == null) {
            return Optional.empty();
        }
        for (Iterator<QueuePlace> places = queue.iterator(); places.hasNext(); ) {
            QueuePlace place = places.next();
            if (channels.reach(place) || place.equals(own.orElse(null))) {
                return Optional.of(place);
            }
            places.remove();
        }
        queues.remove(key);
        return Optional.empty();
    }

    List<QueuePlace> shown(String key, int most) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        return queue == null ? List.of() : queue.stream().limit(most).toList();
    }

    int length(String key) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        return queue == null ? 0 : queue.size();
    }

    void tellGranted(QueuePlace waiter, long fencingToken, long atMicros) {
        channels.grant(waiter, new GrantNotice(waiter.number(), fencingToken, atMicros));
    }

    void tellFreed(QueuePlace waiter) {
        channels.tell(waiter, listener -> listener.freed(waiter.number()));
    }

    /** Removes the entries of clients that are gone from queues that no other operation visits. */
    void sweep() {
        queues.values().removeIf(queue -> {
            queue.removeIf(place -> !channels.reach(place));
            return queue.isEmpty();
        });
    }
}
