package io.keyhold.internal.engine;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.time.ClockReading;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The requests of this client that stand in queues at the store. What arrives in the client's one {@link InboxLine inbox} is
 * handed to the request that it is for.
 *
 * <p>A message for a request that is not here is of no use, and needs none: a request leaves this room either with the lock, or
 * together with a withdrawal that takes it out of the queue or gives back what it was granted meanwhile.
 */
final class WaitingRoom implements InboxLine.Reader {

    /** A queue is kept from being forgotten at least this often. */
    private static final long LONGEST_BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(QueuePlace.KEPT_MILLIS / 3);

    private final Engine engine;
    private final InboxLine inbox;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Acquisition> waiting = new ConcurrentHashMap<>();
    private final Map<String, Line> lines = new ConcurrentHashMap<>();

    WaitingRoom(Engine engine) {
        this.engine = engine;
        this.inbox = new InboxLine(engine, this);
    }

    /** Those of this client who wait for one lock, in the order in which they came. */
    private static final class Line {
        final LinkedHashSet<Acquisition> members = new LinkedHashSet<>();
        volatile ClockReading toldInFull;

        Line(ClockReading now) {
            toldInFull = now;
        }

        boolean isFirst(Acquisition request) {
            return members.stream()
                    .findFirst()
                    .filter(first -> first == request)
                    .isPresent();
        }
    }

    /** Makes sure that grants arrive. Returns whether they do; if not, this store has to be polled for now. */
    CompletableFuture<Boolean> open() {
        return inbox.open();
    }

    /** Returns whether it is worthwhile to {@link #open}. */
    boolean mayOpen() {
        return inbox.mayOpen();
    }

    /** After this failure the server behind the address may be another one than before. */
    void distrustAfter(Throwable failure) {
        if (StoreFailure.isNotServing(failure)) {
            inbox.distrust();
        }
    }

    /** Finds a place for this request, if grants can arrive. */
    Optional<QueuePlace> enter(Acquisition request, String token) {
        long number = numbers.incrementAndGet();
        // Before it looks where the inbox is: should that end just then, it is known that somebody waits.
        waiting.put(number, request);
        Optional<String> open = inbox.address();
        if (open.isEmpty()) {
            waiting.remove(number);
        }
        return open.map(address -> {
            lines.compute(request.storedKey(), (key, known) -> {
                Line line = known != null ? known : new Line(ClockReading.now(engine.clock()));
                line.members.add(request);
                return line;
            });
            inbox.watch();
            return new QueuePlace(
                    address,
                    number,
                    request.ask().leaseMillis(),
                    engine.clock().wallMillis(),
                    request.ask().subject().claim().permits(),
                    token);
        });
    }

    /** Returns whether a grant that is sent to this place arrives. */
    InboxLine.Reach reach(QueuePlace place) {
        return inbox.reach(place.inbox());
    }

    /** The request is gone from its place, and whoever comes behind it looks after the queue. */
    void leave(Acquisition request, QueuePlace place) {
        waiting.remove(place.number());
        AtomicReference<Optional<Acquisition>> promoted = new AtomicReference<>(Optional.empty());
        lines.computeIfPresent(request.storedKey(), (key, line) -> {
            boolean wasFirst = line.isFirst(request);
            line.members.remove(request);
            if (wasFirst) {
                promoted.set(line.members.stream().findFirst());
            }
            return line.members.isEmpty() ? null : line;
        });
        Optional<Acquisition> next = promoted.get();
        if (next != null) {
            next.ifPresent(Acquisition::becameFirst);
        }
    }

    /** Whether this request is the one that looks after the queue, for all of this client. */
    boolean isFirst(Acquisition request) {
        AtomicBoolean first = new AtomicBoolean();
        lines.computeIfPresent(request.storedKey(), (key, line) -> {
            first.set(line.isFirst(request));
            return line;
        });
        return first.get();
    }

    /**
     * How much this request wants to be told: everything if it asks again, and so may have missed something; if it looks
     * after the queue; or if nobody was told for long.
     */
    AcquireRequest.Answer answerFor(Acquisition request, AcquireRequest.Coming coming) {
        boolean again = coming == AcquireRequest.Coming.AGAIN;
        AtomicBoolean full = new AtomicBoolean(again || !engine.storeTime().isFresh());
        lines.computeIfPresent(request.storedKey(), (key, line) -> {
            if (full.get()
                    || line.isFirst(request)
                    || line.toldInFull.nanosSince(engine.clock()) > LONGEST_BRIEF_NANOS) {
                line.toldInFull = ClockReading.now(engine.clock());
                full.set(true);
            }
            return line;
        });
        return full.get() ? AcquireRequest.Answer.FULL : AcquireRequest.Answer.BRIEF;
    }

    @Override
    public boolean isAnybodyWaiting() {
        return !waiting.isEmpty();
    }

    @Override
    public void granted(GrantNotice notice) {
        Acquisition request = waiting.get(notice.number());
        if (request != null) {
            request.grantArrives(notice);
        }
    }

    @Override
    public void freed(long number) {
        Acquisition request = waiting.get(number);
        if (request != null) {
            request.askAgain();
        }
    }

    @Override
    public void interrupted(boolean openAgain) {
        for (Acquisition request : List.copyOf(waiting.values())) {
            if (openAgain || request.outage().failure().isEmpty()) { // Else it asks again and again by itself.
                request.askAgain();
            }
        }
    }

    void close() {
        inbox.close();
    }
}
