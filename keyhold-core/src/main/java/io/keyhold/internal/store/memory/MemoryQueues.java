package io.keyhold.internal.store.memory;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.QueuePlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Who waits for the locks of a {@link MemoryStore}, and the inboxes of its clients. Under the store's guard, but for inboxes. */
final class MemoryQueues {

    private final Map<String, LinkedHashSet<QueuePlace>> queues = new HashMap<>();
    private final Map<String, MemoryInbox> inboxes = new ConcurrentHashMap<>();
    private List<Runnable> messages = new ArrayList<>();
    private int inboxesOpened;

    /** To the end of the queue, unless it stands there already. */
    void join(String key, QueuePlace place) {
        queues.computeIfAbsent(key, empty -> new LinkedHashSet<>()).add(place);
    }

    void leave(String key, QueuePlace place) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        if (queue != null && queue.remove(place) && queue.isEmpty()) {
            queues.remove(key);
        }
    }

    /** Takes out the first whose client listens; empty if there is none, or if it is {@code own}, which is taken out too. */
    Optional<QueuePlace> next(String key, Optional<QueuePlace> own) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        if (queue == null) {
            return Optional.empty();
        }
        Optional<QueuePlace> found = Optional.empty();
        for (Iterator<QueuePlace> places = queue.iterator(); places.hasNext() && found.isEmpty(); ) {
            QueuePlace place = places.next();
            places.remove();
            if (own.isPresent() && own.get().equals(place)) {
                break;
            }
            if (inboxes.containsKey(place.inbox())) {
                found = Optional.of(place);
            }
        }
        if (queue.isEmpty()) {
            queues.remove(key);
        }
        return found;
    }

    List<QueuePlace> first(String key, int most) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        return queue == null ? List.of() : queue.stream().limit(most).toList();
    }

    int length(String key) {
        LinkedHashSet<QueuePlace> queue = queues.get(key);
        return queue == null ? 0 : queue.size();
    }

    /** Leaves a message for the client of this waiter. */
    void tell(QueuePlace waiter, GrantNotice notice) {
        MemoryInbox inbox = inboxes.get(waiter.inbox());
        if (inbox != null) {
            messages.add(() -> inbox.listener.granted(notice));
        }
    }

    /** The messages that were left, to be delivered now. */
    List<Runnable> takeMessages() {
        if (messages.isEmpty()) {
            return List.of();
        }
        List<Runnable> taken = messages;
        messages = new ArrayList<>();
        return taken;
    }

    Inbox open(Inbox.Listener listener) {
        MemoryInbox inbox = new MemoryInbox("inbox-" + ++inboxesOpened, listener);
        inboxes.put(inbox.address, inbox);
        return inbox;
    }

    private final class MemoryInbox implements Inbox {

        private final String address;
        private final Listener listener;

        MemoryInbox(String address, Listener listener) {
            this.address = address;
            this.listener = listener;
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public CompletionStage<Boolean> probe() {
            listener.probed();
            return CompletableFuture.completedStage(inboxes.containsKey(address));
        }

        @Override
        public void close() {
            if (inboxes.remove(address) != null) {
                listener.ended(new IllegalStateException("the inbox was closed"));
            }
        }
    }
}
