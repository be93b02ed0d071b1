package io.keyhold.internal.engine.acquire;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One queue for each lock that this client wants or holds. One request of the client is the head: it asks the store, waits there
 * and holds the lock, while the others wait here in the order of their arrival. The head promotes its successor when it is
 * done, so the store is asked once for all of them, and the lock can be handed over inside the client.
 *
 * @param <H> what is at the head: a waiter, or what it has become when it holds the lock
 * @param <W> what waits
 */
final class LocalQueues<H, W extends H> {

    final Map<String, LocalQueue<H, W>> queues = new ConcurrentHashMap<>();
    private final Predicate<W> isOver;

    /** {@code isOver} says which waiters are not to be promoted any more. */
    LocalQueues(Predicate<W> isOver) {
        this.isOver = isOver;
    }

    /** Small, because there is one for each lock that is held. */
    private static final class LocalQueue<H, W extends H> {
        /** Read without the lock of the map, too. */
        volatile H head;

        @Nullable
        LinkedHashSet<W> waiting;

        LocalQueue(H head) {
            this.head = head;
        }
    }

    /** Enters the queue. Returns true if the newcomer is the head, false if it has to wait to be promoted. */
    boolean enter(String key, W newcomer) {
        LocalQueue<H, W> own = new LocalQueue<>(newcomer);
        LocalQueue<H, W> entered = queues.merge(key, own, (queue, same) -> {
            if (queue.waiting == null) {
                queue.waiting = new LinkedHashSet<>();
            }
            queue.waiting.add(newcomer);
            return queue;
        });
        return entered == own;
    }

    /** Replaces the head by what it has become, so that the request and all that it refers to can be collected. */
    void become(String key, W head, H holder) {
        queues.computeIfPresent(key, (same, queue) -> {
            if (queue.head == head) { // Else the lock was released meanwhile, and another is the head.
                queue.head = holder;
            }
            return queue;
        });
    }

    /** Leaves the queue. Has no effect on the head, and on a request that is not in the queue. */
    void leave(String key, W waiter) {
        queues.computeIfPresent(key, (same, queue) -> {
            if (queue.waiting != null) {
                queue.waiting.remove(waiter);
            }
            return queue;
        });
    }

    /** Replaces the head, which is done, by the next waiter and returns that; empty, and the queue is gone, if there is none. */
    Optional<W> next(String key) {
        AtomicReference<@Nullable W> promoted = new AtomicReference<>();
        queues.computeIfPresent(key, (same, queue) -> {
            if (queue.waiting == null) {
                return null;
            }
            Iterator<W> waiting = queue.waiting.iterator();
            while (waiting.hasNext()) {
                W next = waiting.next();
                waiting.remove();
                if (!isOver.test(next)) {
                    queue.head = next;
                    promoted.set(next);
                    return queue;
                }
            }
            return null;
        });
        return Optional.ofNullable(promoted.get());
    }

    /** Returns the head. */
    Optional<H> head(String key) {
        LocalQueue<H, W> queue = queues.get(key);
        return queue == null ? Optional.empty() : Optional.of(queue.head);
    }

    /** Returns the head and those that wait behind it, in their order; empty if there is no queue. */
    List<H> members(String key) {
        List<H> members = new ArrayList<>();
        queues.computeIfPresent(key, (same, queue) -> {
            members.add(queue.head);
            if (queue.waiting != null) {
                members.addAll(queue.waiting);
            }
            return queue;
        });
        return members;
    }
}
