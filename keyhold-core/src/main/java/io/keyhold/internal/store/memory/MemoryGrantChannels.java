package io.keyhold.internal.store.memory;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.QueuePlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The inboxes of a {@link MemoryStore}'s clients, and what is to be delivered there. Under the store's guard, but for the
 * inboxes themselves.
 */
final class MemoryInboxes {

    private final Map<String, MemoryInbox> inboxes = new ConcurrentHashMap<>();
    private List<Runnable> messages = new ArrayList<>();
    /** The client that waits for the reply of the operation that is running, which carries grants to its waiters. */
    private Optional<String> replyTo = Optional.empty();

    private List<Grant> replied = List.of();
    private int opened;

    private record Grant(QueuePlace waiter, GrantNotice notice) {}

    Inbox open(Inbox.Listener listener) {
        return open("inbox-" + ++opened, listener);
    }

    Inbox open(String address, Inbox.Listener listener) {
        MemoryInbox inbox = new MemoryInbox(address, listener);
        inboxes.put(inbox.address, inbox);
        return inbox;
    }

    /** Whether this waiter's client listens. */
    boolean reach(QueuePlace waiter) {
        return inboxes.containsKey(waiter.inbox());
    }

    /** Puts grants to waiters of this client into the reply of the operation, instead of messages, if the reply can have them. */
    HoldReply replying(Optional<String> client, Supplier<HoldReply> operation) {
        replyTo = client;
        replied = new ArrayList<>();
        try {
            HoldReply reply = operation.get();
            if (reply instanceof HoldReply.Done && !replied.isEmpty()) {
                return new HoldReply.Done(replied.stream().map(Grant::notice).toList());
            }
            replied.forEach(grant -> tell(grant.waiter(), listener -> listener.granted(grant.notice())));
            return reply;
        } finally {
            replyTo = Optional.empty();
            replied = List.of();
        }
    }

    /** Tells the client of this waiter of a grant. */
    void grant(QueuePlace waiter, GrantNotice notice) {
        if (replyTo.filter(waiter.inbox()::equals).isPresent()) {
            replied.add(new Grant(waiter, notice));
        } else {
            tell(waiter, listener -> listener.granted(notice));
        }
    }

    /** Leaves a message for the client of this waiter. */
    void tell(QueuePlace waiter, Consumer<Inbox.Listener> message) {
        MemoryInbox inbox = inboxes.get(waiter.inbox());
        if (inbox != null) {
            messages.add(() -> message.accept(inbox.listener));
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
            if (inboxes.remove(address, this)) {
                listener.ended(new IllegalStateException("the inbox was closed"));
            }
        }
    }
}
