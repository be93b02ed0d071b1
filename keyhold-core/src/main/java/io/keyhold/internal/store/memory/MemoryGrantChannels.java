package io.keyhold.internal.store.memory;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
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
 * The channels of a {@link MemoryStore}'s clients, and what is to be delivered there. Under the store's guard, but for the
 * channels themselves.
 */
final class MemoryGrantChannels {

    private final Map<String, MemoryGrantSubscription> channels = new ConcurrentHashMap<>();
    private List<Runnable> messages = new ArrayList<>();
    /** The client that waits for the reply of the operation that is running, which carries grants to its waiters. */
    private Optional<String> replyTo = Optional.empty();

    private List<Grant> replied = List.of();
    private int opened;

    private record Grant(QueuePlace waiter, GrantNotice notice) {}

    GrantSubscription open(GrantSubscription.Listener listener) {
        return open("channel-" + ++opened, listener);
    }

    GrantSubscription open(String address, GrantSubscription.Listener listener) {
        MemoryGrantSubscription subscription = new MemoryGrantSubscription(address, listener);
        channels.put(subscription.address, subscription);
        return subscription;
    }

    /** Whether this waiter's client listens. */
    boolean reach(QueuePlace waiter) {
        return channels.containsKey(waiter.channel());
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
        if (replyTo.filter(waiter.channel()::equals).isPresent()) {
            replied.add(new Grant(waiter, notice));
        } else {
            tell(waiter, listener -> listener.granted(notice));
        }
    }

    /** Leaves a message for the client of this waiter. */
    void tell(QueuePlace waiter, Consumer<GrantSubscription.Listener> message) {
        MemoryGrantSubscription subscription = channels.get(waiter.channel());
        if (subscription != null) {
            messages.add(() -> message.accept(subscription.listener));
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

    private final class MemoryGrantSubscription implements GrantSubscription {

        private final String address;
        private final Listener listener;

        MemoryGrantSubscription(String address, Listener listener) {
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
            return CompletableFuture.completedStage(channels.containsKey(address));
        }

        @Override
        public void close() {
            if (channels.remove(address, this)) {
                listener.ended(new IllegalStateException("the subscription was closed"));
            }
        }
    }
}
