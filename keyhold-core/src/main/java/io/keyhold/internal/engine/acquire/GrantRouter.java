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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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
    /** Of the sources at which this client has waited, until the store has closed them. */
    final Map<GrantSource, GrantChannel> channels = new ConcurrentHashMap<>();

    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, SameLock> byLock = new ConcurrentHashMap<>();

    GrantRouter(LockStore store, KeyholdClock clock, Scheduler scheduler) {
        this.store = store;
        this.clock = clock;
        this.scheduler = scheduler;
        store.onMoves(() -> channels.values().forEach(GrantChannel::moved));
    }

    /** Returns the channel of the grants of this key. */
    GrantChannel at(String key) {
        GrantSource source = store.grantSource(key);
        GrantChannel known = channels.get(source);
        if (known != null) {
            return known;
        }
        channels.entrySet()
                .removeIf(channel ->
                        channel.getKey().isClosed() && channel.getValue().isIdle());
        return channels.computeIfAbsent(source, added -> new GrantChannel(this, added, clock, scheduler));
    }

    /** Returns the same if this client has ever waited there. */
    private @Nullable GrantChannel known(String key) {
        return channels.get(store.grantSource(key));
    }

    /** Returns whether the grants of this request come from there now. */
    boolean isAt(GrantChannel channel, Waiter request) {
        return store.grantSource(key(request)) == channel.source();
    }

    /** An entry in the queue of a server, and the channel of its grants. */
    record Entry(QueuePlace place, GrantChannel channel) {}

    /** A request, as the router sees it. */
    interface Waiter {

        AcquireSpec spec();

        void grantArrives(DatedGrant grant);

        /** Asks the store again, because a message may have been missed. */
        void askAgain();

        /** Returns how long it may wait as the first of this client's requests for its lock until it has to {@link #check}. Called by any thread. */
        long checkNanos();

        /** Checks the queue, unless a timer of its own makes it do so. */
        void check();

        /** Returns whether the store has failed, so that the request asks again by itself. */
        boolean isInOutage();
    }

    /**
     * The requests of this client for one lock, in the order of their arrival, as far as it is known. Used inside {@link #byLock} only.
     *
     * <p>A request that becomes the first has to check the queue after a while, and the timer for that is here: to wake its thread, only
     * to set a timer of its own, would cost a switch of threads for each grant. For the same reason a timer that
     * ends before the check is due stays, and is set again when it ends.
     */
    private final class SameLock {
        private final String key;
        private final LinkedHashSet<Waiter> members = new LinkedHashSet<>();
        private ClockReading toldInFull = ClockReading.now(clock);
        /** When the first has to check the queue, by the monotonic clock. */
        private long checkAt;

        private Scheduler.@Nullable Timer timer;
        private long timerAt;

        SameLock(String key) {
            this.key = key;
        }

        boolean isFirst(Waiter request) {
            return !members.isEmpty() && first() == request;
        }

        private Waiter first() {
            return members.iterator().next();
        }

        void moveToFront(Waiter request) {
            if (!isFirst(request) && members.remove(request)) {
                List<Waiter> others = List.copyOf(members);
                members.clear();
                members.add(request);
                members.addAll(others);
            }
        }

        /** Removes a request. If it was the first, the next one has to check the queue from now on. */
        void remove(Waiter request) {
            boolean wasFirst = isFirst(request);
            members.remove(request);
            if (members.isEmpty()) {
                cancelTimer();
            } else if (wasFirst) {
                long nanos = first().checkNanos();
                checkAt = clock.monotonicNanos() + nanos;
                if (timer == null || checkAt - timerAt < 0) {
                    setTimer(nanos);
                }
            }
        }

        /** Returns the request that has to check the queue, if that is due. */
        Optional<Waiter> due() {
            cancelTimer();
            // What the timer has waited for is over, even by a user's clock that stands still.
            long left = Math.min(checkAt - clock.monotonicNanos(), checkAt - timerAt);
            if (left > 0) {
                setTimer(left);
                return Optional.empty();
            }
            return Optional.of(first());
        }

        private void setTimer(long nanos) {
            cancelTimer();
            timer = scheduler.schedule(nanos, () -> checkIfDue(key));
            timerAt = checkAt;
        }

        private void cancelTimer() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }
    }

    /** Notes a failure after which the address may lead to another server than before. */
    void distrustAfter(String key, Throwable failure) {
        GrantChannel channel = known(key);
        if (channel != null && StoreFailure.isNotServing(failure)) {
            channel.distrust();
        }
    }

    /** Prepares an entry in the server's queue for this request, if grants can arrive. */
    Optional<Entry> enter(Waiter request, String token) {
        GrantChannel channel = known(key(request));
        if (channel == null || channel.address().isEmpty()) {
            return Optional.empty(); // The usual case, of a client that has never waited, costs no more than this.
        }
        long number = numbers.incrementAndGet();
        // Before the channel's address is read: if the channel ends just then, it must see that a request waits.
        channel.waiters.put(number, request);
        Optional<String> open = channel.address();
        if (open.isEmpty()) {
            channel.waiters.remove(number);
        }
        return open.map(address -> {
            byLock.compute(key(request), (key, known) -> {
                SameLock same = known != null ? known : new SameLock(key);
                same.members.add(request);
                return same;
            });
            channel.watch();
            QueuePlace place = new QueuePlace(
                    address,
                    number,
                    request.spec().leaseMillis(),
                    clock.wallMillis(),
                    request.spec().subject().claim().permits(),
                    token);
            return new Entry(place, channel);
        });
    }

    /** Removes a request. If it was the first for its lock, the next one becomes the first. */
    void leave(Waiter request, Entry entry) {
        entry.channel().waiters.remove(entry.place().number());
        byLock.computeIfPresent(key(request), (key, same) -> {
            same.remove(request);
            return same.members.isEmpty() ? null : same;
        });
    }

    private void checkIfDue(String key) {
        List<Waiter> due = new ArrayList<>(1);
        byLock.computeIfPresent(key, (same, lock) -> {
            lock.due().ifPresent(due::add);
            return lock;
        });
        due.forEach(Waiter::check);
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
        AtomicBoolean full =
                new AtomicBoolean(again || !entry.channel().serverClock().isFresh());
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
        for (GrantChannel channel : channels.values()) {
            Waiter request = channel.waiters.get(notice.number());
            if (request != null) {
                request.grantArrives(DatedGrant.after(before, notice));
            }
        }
    }

    @Override
    public Optional<String> address(String key) {
        GrantChannel channel = known(key);
        return channel != null && channel.hasWaiters() ? channel.address() : Optional.empty();
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

    void close() {
        channels.values().forEach(GrantChannel::close);
    }
}
