package io.keyhold.internal.store.memory;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.Snapshots;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The semaphores of a {@link MemoryStore}, under its guard. It decides as {@code acquire_permits.lua} and its companions do on
 * Redis, in the same order.
 */
final class MemoryPermits {

    private final MemoryClock clock;
    private final Map<String, MemorySemaphore> semaphores = new HashMap<>();
    private final MemoryQueues queues;

    MemoryPermits(MemoryClock clock, MemoryGrantChannels channels) {
        this.clock = clock;
        this.queues = new MemoryQueues(channels);
    }

    AcquireReply acquire(Claim.Permits claim, AcquireRequest request) {
        Optional<QueuePlace> head = queues.head(claim.key());
        AcquireReply reply = acquired(claim, request);
        tellNewHead(claim.key(), head, request.ifBusy().place());
        return reply;
    }

    /**
     * A rest ends without a message. So while a hold rests, each new head of the queue is told to ask: the reply says when the first hold
     * ends. {@code own} learns that from the reply that it gets now.
     */
    private void tellNewHead(String key, Optional<QueuePlace> before, Optional<QueuePlace> own) {
        MemorySemaphore semaphore = find(key);
        if (semaphore != null && semaphore.isResting(clock.nanos())) {
            Optional<QueuePlace> head = queues.first(key, own);
            if (!head.equals(before) && !head.equals(own)) {
                head.ifPresent(queues::tellFreed);
            }
        }
    }

    private AcquireReply acquired(Claim.Permits claim, AcquireRequest request) {
        Optional<QueuePlace> place = request.ifBusy().place();
        MemorySemaphore known = opened(claim.key(), place);
        Optional<MemorySemaphore.Hold> held = known == null ? Optional.empty() : known.hold(request.token());
        if (known != null && held.isPresent()) {
            known.prolong(held.get(), clock.end(request.leaseMillis()));
            known.keep(kept(request.leaseMillis()));
            return new AcquireReply.Granted(held.get().grant().fencingToken());
        }
        if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
            return busy(known);
        }
        int limit = known == null ? claim.limit().permits() : known.limit();
        if (claim.permits() > limit || (known != null && isRefused(claim.limit(), known))) {
            place.ifPresent(waiter -> queues.leave(claim.key(), waiter));
            serve(claim.key(), known, Optional.empty());
            return new AcquireReply.OtherLimit(limit);
        }
        return take(claim, request, known == null ? begin(claim.key(), limit) : known);
    }

    private static boolean isRefused(Limit limit, MemorySemaphore semaphore) {
        // A read/write lock is no semaphore to be joined, nor the reverse.
        boolean refuses = limit.ifOther() == Limit.IfOther.REFUSE
                || semaphore.limit() == Limit.READ_WRITE
                || limit.permits() == Limit.READ_WRITE;
        return refuses && !semaphore.isMeantBy(limit.permits());
    }

    /**
     * Takes permits if there are enough and the queue is empty: else small requests would starve a large one. A request beside
     * a hold of its own client does not wait for the queue, because that may be waiting for this very hold.
     */
    private AcquireReply take(Claim.Permits claim, AcquireRequest request, MemorySemaphore semaphore) {
        Optional<QueuePlace> place = request.ifBusy().place();
        boolean mayPass = claim.beside()
                .flatMap(semaphore::hold)
                .filter(other -> semaphore.hasRoomBeside(other, claim.permits()))
                .isPresent();
        if (!mayPass) {
            boolean isNext = serve(claim.key(), semaphore, place);
            if (!isNext || !semaphore.hasRoomFor(claim.permits())) {
                place.ifPresent(waiter -> queues.join(claim.key(), waiter));
                return busy(semaphore);
            }
            place.ifPresent(waiter -> queues.leave(claim.key(), waiter));
        }
        long fencingToken = grant(semaphore, request.token(), request.leaseMillis(), claim.permits());
        // There may be enough for those behind it, too.
        serve(claim.key(), semaphore, Optional.empty());
        return new AcquireReply.Granted(fencingToken);
    }

    /** After a rest began, and after the head may have left, any head counts as a new one. */
    HoldReply release(String key, ReleaseRequest request) {
        boolean anyHead = request.rests() || request.place().isPresent();
        Optional<QueuePlace> head = anyHead ? Optional.empty() : queues.head(key);
        HoldReply reply = released(key, request);
        tellNewHead(key, head, Optional.empty());
        return reply;
    }

    private HoldReply released(String key, ReleaseRequest request) {
        MemorySemaphore semaphore = find(key);
        if (semaphore == null) {
            return new HoldReply.NotHeld(Optional.empty());
        }
        boolean dropped = semaphore.dropExpired(clock.nanos());
        Optional<MemorySemaphore.Hold> held = semaphore.hold(request.token());
        if (held.isPresent() && request.rests()) {
            semaphore.rest(held.get(), clock.end(request.restMillis()));
            semaphore.keep(kept(request.restMillis()));
        } else {
            semaphore.release(request.token());
        }
        if (held.isPresent() || dropped || request.place().isPresent()) {
            serve(key, semaphore, Optional.empty());
        }
        return held.isPresent() ? HoldReply.DONE : new HoldReply.NotHeld(Optional.empty());
    }

    void leaveQueue(String key, QueuePlace place) {
        queues.leave(key, place);
    }

    HoldReply renew(String key, String token, long leaseMillis) {
        MemorySemaphore semaphore = find(key);
        Optional<MemorySemaphore.Hold> held = semaphore == null
                ? Optional.empty()
                : semaphore.hold(token).filter(hold -> !hold.end().isOver(clock.nanos()));
        if (semaphore == null || held.isEmpty()) {
            return new HoldReply.NotHeld(Optional.empty());
        }
        if (leaseMillis != AcquireRequest.NO_EXPIRY) {
            semaphore.prolong(held.get(), clock.end(leaseMillis));
            semaphore.keep(kept(leaseMillis));
        }
        return HoldReply.DONE;
    }

    int resize(String key, int said, int permits) {
        Optional<QueuePlace> head = queues.head(key);
        int before = resized(key, said, permits);
        tellNewHead(key, head, Optional.empty());
        return before;
    }

    private int resized(String key, int said, int permits) {
        MemorySemaphore known = find(key);
        if (known != null && known.limit() == Limit.READ_WRITE) {
            known = opened(key, Optional.empty());
        }
        int before = known == null ? said : known.limit();
        if (before != Limit.READ_WRITE) {
            MemorySemaphore semaphore = known == null ? begin(key, said) : known;
            semaphore.dropExpired(clock.nanos());
            semaphore.resize(permits);
            semaphore.keep(kept(0));
            tellWaitersForMoreThan(permits, key);
            serve(key, semaphore, Optional.empty());
        }
        return before;
    }

    /** They are told to ask again, and then refused. */
    private void tellWaitersForMoreThan(int limit, String key) {
        for (QueuePlace place : queues.shown(key, Integer.MAX_VALUE)) {
            if (place.permits() > limit) {
                queues.leave(key, place);
                queues.tellFreed(place);
            }
        }
    }

    boolean isHeld(String key) {
        MemorySemaphore semaphore = find(key);
        return semaphore != null && semaphore.isHeld(clock.nanos());
    }

    /** Frees all permits, and serves the queue. */
    boolean forceRelease(String key) {
        MemorySemaphore semaphore = find(key);
        if (semaphore == null || !semaphore.isHeld(clock.nanos())) {
            return false;
        }
        semaphore.clear();
        serve(key, semaphore, Optional.empty());
        return true;
    }

    Set<String> keys() {
        return Set.copyOf(semaphores.keySet());
    }

    /** Returns what there is to see of it, and changes nothing. */
    Optional<LockSnapshot> snapshot(String key) {
        long now = clock.nanos();
        return Optional.ofNullable(find(key)).map(semaphore -> {
            LockKind kind = Snapshots.kind(semaphore.limit());
            MemorySemaphore.View view = semaphore.view(now, Snapshots.MOST_SHOWN);
            List<LockHolder> holders = view.holds().stream()
                    .map(hold -> Snapshots.holder(
                            kind,
                            hold.token(),
                            hold.permits(),
                            hold.end().remainingMillis(now),
                            Optional.of(hold.grant())))
                    .toList();
            return Snapshots.ofPermits(
                    key,
                    semaphore.limit(),
                    view.used(),
                    holders,
                    view.holding(),
                    queues.shown(key, Snapshots.MOST_SHOWN),
                    queues.length(key));
        });
    }

    /** Nothing else would ever forget a semaphore that is used once and never again. */
    void sweep() {
        queues.sweep();
        Set.copyOf(semaphores.keySet()).forEach(key -> {
            opened(key, Optional.empty());
            tellNewHead(key, Optional.empty(), Optional.empty());
        });
    }

    private @Nullable MemorySemaphore find(String key) {
        MemorySemaphore semaphore = semaphores.get(key);
        if (semaphore != null && semaphore.isForgotten(clock.nanos())) {
            semaphores.remove(key);
            return null;
        }
        return semaphore;
    }

    private MemorySemaphore begin(String key, int said) {
        MemorySemaphore semaphore = new MemorySemaphore(said, kept(0));
        semaphores.put(key, semaphore);
        return semaphore;
    }

    /**
     * Returns the semaphore without expired holds. Waiters are served first from what is free then. A read/write lock is forgotten if all its holds
     * have expired and no request waits.
     */
    private @Nullable MemorySemaphore opened(String key, Optional<QueuePlace> own) {
        MemorySemaphore semaphore = find(key);
        if (semaphore != null && semaphore.dropExpired(clock.nanos())) {
            serve(key, semaphore, own);
            return queues.head(key).isEmpty() ? find(key) : semaphore;
        }
        return semaphore;
    }

    /** Serves the queue, for as long as there is enough for its head. Returns whether {@code own} is next, and a permit is left. */
    private boolean serve(String key, @Nullable MemorySemaphore semaphore, Optional<QueuePlace> own) {
        while (semaphore != null && !semaphore.isFull()) {
            Optional<QueuePlace> first = queues.first(key, own);
            if (first.isEmpty()) {
                return true;
            }
            QueuePlace place = first.get();
            if (place.permits() > semaphore.limit()) {
                // It will never be served. It is told to ask again, and then refused.
                queues.leave(key, place);
                queues.tellFreed(place);
            } else if (!semaphore.hasRoomFor(place.permits())) {
                return false;
            } else if (place.equals(own.orElse(null))) {
                return true;
            } else {
                queues.leave(key, place);
                long fencingToken = grant(semaphore, place.token(), place.leaseMillis(), place.permits());
                queues.tellGranted(place, fencingToken, clock.micros());
            }
        }
        return false;
    }

    private long grant(MemorySemaphore semaphore, String token, long leaseMillis, int permits) {
        semaphore.keep(kept(leaseMillis));
        LockValue granted = clock.grant(token);
        semaphore.grant(granted, permits, clock.end(leaseMillis));
        return granted.fencingToken();
    }

    private AcquireReply busy(@Nullable MemorySemaphore semaphore) {
        Optional<MemorySemaphore.Hold> first = semaphore == null ? Optional.empty() : semaphore.first();
        return new AcquireReply.Busy(
                first.map(MemorySemaphore.Hold::token),
                first.map(hold -> hold.end().remainingMillis(clock.nanos())).orElse(OptionalLong.empty()),
                OptionalLong.of(clock.micros()),
                AcquireReply.HolderKind.KEYHOLD);
    }

    /** Returns until when the number of permits is remembered at least. */
    private MemoryEnd kept(long leaseMillis) {
        return clock.end(Limit.RETENTION.plus(Duration.ofMillis(leaseMillis)).toMillis());
    }
}
