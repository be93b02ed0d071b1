package io.keyhold.internal.engine.acquire;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.engine.lease.OwnGrants;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.Scheduler;
import java.util.ArrayList;
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
 * The requests of this client that have an entry in a queue of a server. Messages of the client's {@linkplain GrantChannel grant channels}, one
 * for each source of grants, are routed to the request that they are for.
 *
 * <p>A message for a request that is not here can be ignored: a request leaves either with the lock, or
 * together with a withdrawal that removes its entry from the queue or releases what it was granted meanwhile.
 *
 * <p>Of the requests for the same lock, the first checks the queue from time to time for all of them (see {@link Polling}).
 */
final class GrantRouter implements OwnGrants {

    /** One request for a lock is told everything at least this often, which keeps the queue from expiring. */
    private static final long LONGEST_BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(QueuePlace.KEPT_MILLIS / 3);

    private final LockStore store;
    private final KeyholdClock clock;
    private final Scheduler scheduler;
    /** The servers on which this client has waited, until the store has closed them. */
    private final Map<GrantSource, ServerGrants> servers = new ConcurrentHashMap<>();

    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, SameLock> byLock = new ConcurrentHashMap<>();

    GrantRouter(LockStore store, KeyholdClock clock, Scheduler scheduler) {
        this.store = store;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /** Returns where the grants of this key come from now. */
    ServerGrants at(String key) {
        GrantSource source = store.grantSource(key);
        ServerGrants known = servers.get(source);
        if (known != null) {
            return known;
        }
        servers.entrySet()
                .removeIf(server ->
                        server.getKey().isClosed() && server.getValue().isIdle());
        return servers.computeIfAbsent(
                source,
                added -> new ServerGrants(
                        this, added, clock, scheduler, waiter -> store.grantSource(key(waiter)) == added));
    }

    /** An entry in the queue of a server, and what this client has there. */
    record Entry(QueuePlace place, ServerGrants server) {}

    /** A request, as the router sees it. */
    interface Waiter {

        AcquireSpec spec();

        void grantArrives(DatedGrant grant);

        /** Asks the store again, because a message may have been missed. */
        void askAgain();

        /** Becomes the first of this client's requests for its lock. */
        void becameFirst();

        /** Returns whether the store has failed, so that the request asks again by itself. */
        boolean isInOutage();
    }

    /** The requests of this client for one lock, in the order of their arrival, as far as it is known. */
    private static final class SameLock {
        final LinkedHashSet<Waiter> members = new LinkedHashSet<>();
        volatile ClockReading toldInFull;

        SameLock(ClockReading now) {
            toldInFull = now;
        }

        boolean isFirst(Waiter request) {
            return members.stream()
                    .findFirst()
                    .filter(first -> first == request)
                    .isPresent();
        }

        void moveToFront(Waiter request) {
            if (!isFirst(request) && members.remove(request)) {
                List<Waiter> others = List.copyOf(members);
                members.clear();
                members.add(request);
                members.addAll(others);
            }
        }
    }

    /** Opens the grant channel for this key. Returns whether grants can arrive; if not, the store has to be polled for now. */
    CompletableFuture<Boolean> open(String key) {
        return at(key).channel().open();
    }

    /** Returns whether it is worthwhile to {@link #open}. */
    boolean mayOpen(String key) {
        return at(key).channel().mayOpen();
    }

    /** Notes a failure after which the address may lead to another server than before. */
    void distrustAfter(String key, Throwable failure) {
        if (StoreFailure.isNotServing(failure)) {
            at(key).channel().distrust();
        }
    }

    /** Prepares an entry in the server's queue for this request, if grants can arrive. */
    Optional<Entry> enter(Waiter request, String token) {
        long number = numbers.incrementAndGet();
        ServerGrants server = at(key(request));
        // Before the channel's address is read: if the channel ends just then, it must see that a request waits.
        server.waiters().put(number, request);
        Optional<String> open = server.channel().address();
        if (open.isEmpty()) {
            server.waiters().remove(number);
        }
        return open.map(address -> {
            byLock.compute(key(request), (key, known) -> {
                SameLock same = known != null ? known : new SameLock(ClockReading.now(clock));
                same.members.add(request);
                return same;
            });
            server.channel().watch();
            QueuePlace place = new QueuePlace(
                    address,
                    number,
                    request.spec().leaseMillis(),
                    clock.wallMillis(),
                    request.spec().subject().claim().permits(),
                    token);
            return new Entry(place, server);
        });
    }

    /** Returns whether the grants of a request still come from the server of this entry. */
    boolean isHere(Waiter request, Entry entry) {
        return at(key(request)) == entry.server();
    }

    /** Returns whether a grant for this entry of a request arrives. */
    GrantChannel.Reach reach(Waiter request, Entry entry) {
        return isHere(request, entry)
                ? entry.server().channel().reach(entry.place().channel())
                : GrantChannel.Reach.MOVED;
    }

    /** Removes a request. If it was the first for its lock, the next one becomes the first. */
    void leave(Waiter request, Entry entry) {
        entry.server().waiters().remove(entry.place().number());
        AtomicReference<Optional<Waiter>> promoted = new AtomicReference<>(Optional.empty());
        byLock.computeIfPresent(key(request), (key, same) -> {
            boolean wasFirst = same.isFirst(request);
            same.members.remove(request);
            if (wasFirst) {
                promoted.set(same.members.stream().findFirst());
            }
            return same.members.isEmpty() ? null : same;
        });
        Optional<Waiter> next = promoted.get();
        if (next != null) {
            next.ifPresent(Waiter::becameFirst);
        }
    }

    /** Returns whether this request is the one that checks the queue, for all of this client. */
    boolean isFirst(Waiter request) {
        AtomicBoolean first = new AtomicBoolean();
        byLock.computeIfPresent(key(request), (key, same) -> {
            first.set(same.isFirst(request));
            return same;
        });
        return first.get();
    }

    /**
     * Returns how much to tell this request: everything if it asks again, because it may have missed something; if it
     * is the first for its lock; or if no request for the lock was told everything for long.
     */
    AcquireRequest.Detail detailFor(Waiter request, Entry entry, AcquireRequest.Coming coming) {
        boolean again = coming == AcquireRequest.Coming.AGAIN;
        AtomicBoolean full = new AtomicBoolean(again || !entry.server().clock().isFresh());
        byLock.computeIfPresent(key(request), (key, same) -> {
            if (full.get() || same.isFirst(request) || same.toldInFull.nanosSince(clock) > LONGEST_BRIEF_NANOS) {
                same.toldInFull = ClockReading.now(clock);
                full.set(true);
            }
            return same;
        });
        return full.get() ? AcquireRequest.Detail.FULL : AcquireRequest.Detail.BRIEF;
    }

    private static String key(Waiter request) {
        return request.spec().subject().claim().key();
    }

    @Override
    public void granted(GrantNotice notice, ClockReading before) {
        for (ServerGrants server : servers.values()) {
            Waiter request = server.waiters().get(notice.number());
            if (request != null) {
                request.grantArrives(DatedGrant.after(before, notice));
            }
        }
    }

    @Override
    public Optional<String> address(String key) {
        ServerGrants server = at(key);
        return server.hasWaiters() ? server.channel().address() : Optional.empty();
    }

    @Override
    public void askAgain(String key) {
        List<Waiter> members = new ArrayList<>();
        byLock.computeIfPresent(key, (same, lock) -> {
            members.addAll(lock.members);
            return lock;
        });
        members.stream().filter(request -> !request.isInOutage()).forEach(Waiter::askAgain);
    }

    /**
     * The request is the head of the server's queue, so from now on it checks the queue for all of this client. Two requests may
     * reach the server in another order than they entered here, and only the head learns of a rest, which ends without a message.
     */
    void freed(Waiter request) {
        byLock.computeIfPresent(key(request), (key, same) -> {
            same.moveToFront(request);
            return same;
        });
        request.askAgain();
    }

    boolean hasWaiters() {
        return servers.values().stream().anyMatch(ServerGrants::hasWaiters);
    }

    void close() {
        servers.values().forEach(server -> server.channel().close());
    }
}
