package io.keyhold.internal.engine.event;

import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdListener;
import io.keyhold.KeyholdListener.Request.Kind;
import io.keyhold.inspect.LockMode;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.time.Callbacks;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listeners of one client. A client without listeners has none of these, so that it does nothing for events. */
public final class Listeners {

    private final List<EventQueue> queues;
    private final KeyholdClock clock;
    private final int prefixLength;
    private final AtomicLong requests = new AtomicLong();

    /**
     * What a client was built with.
     *
     * @param keyPrefix stands before its keys in the store; users and listeners do not see it
     * @param listeners may be empty
     */
    public record Setup(String keyPrefix, List<KeyholdListener> listeners) {

        /** No listeners. */
        public static final Setup NONE = new Setup("", List.of());

        /** Copies the list. */
        public Setup {
            listeners = List.copyOf(listeners);
        }
    }

    private Listeners(Setup setup, Callbacks callbacks, KeyholdClock clock) {
        this.queues = setup.listeners().stream()
                .map(listener -> new EventQueue(listener, callbacks))
                .toList();
        this.clock = clock;
        this.prefixLength = setup.keyPrefix().length();
    }

    /** Returns the listeners; null if there are none. */
    public static @Nullable Listeners of(Setup setup, Callbacks callbacks, KeyholdClock clock) {
        return setup.listeners().isEmpty() ? null : new Listeners(setup, callbacks, clock);
    }

    /** Tells of a request on this thread, which is its caller's. */
    public RequestEvents requested(Claim claim, Optional<String> name) {
        KeyholdListener.Request request = request(claim, name);
        queues.forEach(queue -> queue.tell(listener -> listener.requested(request)));
        return new RequestEvents(this, clock, request);
    }

    /** Tells of a request that the client itself has made, perhaps on its timer thread. */
    public RequestEvents requestedByClient(Claim claim, Optional<String> name) {
        KeyholdListener.Request request = request(claim, name);
        tell(listener -> listener.requested(request));
        return new RequestEvents(this, clock, request);
    }

    private KeyholdListener.Request request(Claim claim, Optional<String> name) {
        return new KeyholdListener.Request(
                requests.incrementAndGet(),
                claim.keys().stream().map(key -> key.substring(prefixLength)).toList(),
                name,
                kind(claim),
                Snapshots.permits(claim),
                Instant.ofEpochMilli(clock.wallMillis()));
    }

    /** Tells of something that is about no request. */
    public void tell(Consumer<KeyholdListener> event) {
        add(event);
        deliver();
    }

    void add(Consumer<KeyholdListener> event) {
        queues.forEach(queue -> queue.add(event));
    }

    void deliver() {
        queues.forEach(EventQueue::deliver);
    }

    private static Kind kind(Claim claim) {
        return switch (Snapshots.kind(claim)) {
            case LOCK -> claim instanceof Claim.Locks ? Kind.ALL_OF : Kind.LOCK;
            case SEMAPHORE -> Kind.SEMAPHORE;
            case READ_WRITE -> Snapshots.mode(claim) == LockMode.EXCLUSIVE ? Kind.WRITE : Kind.READ;
        };
    }
}
