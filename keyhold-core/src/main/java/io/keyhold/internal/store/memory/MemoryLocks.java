package io.keyhold.internal.store.memory;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The locks of a {@link MemoryStore}, under its guard. */
final class MemoryLocks {

    private final MemoryClock clock;
    private final Map<String, Hold> holds = new HashMap<>();
    private final MemoryQueues queues;

    MemoryLocks(MemoryClock clock, MemoryGrantChannels channels) {
        this.clock = clock;
        this.queues = new MemoryQueues(channels);
    }

    private record Hold(LockValue value, MemoryEnd end) {

        String token() {
            return value.token();
        }
    }

    AcquireReply acquire(String key, AcquireRequest request) {
        Optional<QueuePlace> place = request.ifBusy().place();
        Hold current = current(key);
        if (current == null && request.ifFree() == AcquireRequest.IfFree.TAKE) {
            handOver(key, place);
            current = current(key);
            if (current == null) {
                return new AcquireReply.Granted(grant(key, request.token(), request.leaseMillis()));
            }
        }
        if (current != null && current.token().equals(request.token())) {
            prolong(key, current, request.leaseMillis());
            return new AcquireReply.Granted(current.value().fencingToken());
        }
        place.ifPresent(waiter -> queues.join(key, waiter));
        return busy(current);
    }

    /** Takes all of them or none. Several locks have no queue, so the request has no place. */
    AcquireReply acquireAll(Claim.Locks claim, AcquireRequest request) {
        boolean leave = request.ifFree() == AcquireRequest.IfFree.LEAVE;
        for (int i = 0; i < claim.keys().size(); i++) {
            String key = claim.keys().get(i);
            if (!leave && current(key) == null) {
                handOver(key, Optional.empty());
            }
            Hold current = current(key);
            if (current == null ? leave : !isOfRequest(current, claim, i, request.token())) {
                return busy(current);
            }
        }
        return new AcquireReply.Granted(holdAll(claim, request.token(), request.leaseMillis(), clock.wallMicros()));
    }

    /** Votes as {@link #acquireAll} takes, but numbers by proposal, and hands nothing over to waiters. */
    VoteReply vote(VoteRequest request, String server) {
        Claim claim = request.claim();
        boolean leave = request.ifFree() == AcquireRequest.IfFree.LEAVE;
        for (int i = 0; i < claim.keys().size(); i++) {
            String key = claim.keys().get(i);
            Hold current = current(key);
            if (current == null ? leave : !isOfRequest(current, claim, i, request.token())) {
                request.place().ifPresent(waiter -> queues.join(key, waiter));
                return new VoteReply.Busy(
                        Optional.ofNullable(current).map(Hold::token),
                        current == null ? OptionalLong.empty() : remaining(current),
                        server);
            }
        }
        request.place().ifPresent(waiter -> claim.keys().forEach(key -> queues.leave(key, waiter)));
        return new VoteReply.Granted(
                holdAll(claim, request.token(), request.leaseMillis(), request.proposal()), server);
    }

    /** Holds all of them by one number, which stays if they are held by one already: the request may be repeated. */
    private long holdAll(Claim claim, String token, long leaseMillis, long atLeast) {
        Optional<Long> known = commonNumber(claim.keys(), token);
        long number = known.orElseGet(() -> clock.next(atLeast));
        long since = clock.wallMicros();
        for (String key : claim.keys()) {
            Hold current = current(key);
            LockValue granted = new LockValue(token, number, since);
            if (current != null && current.token().equals(token)) {
                prolong(key, known.isPresent() ? current : new Hold(granted, current.end()), leaseMillis);
            } else {
                holds.put(key, new Hold(granted, clock.end(leaseMillis)));
            }
        }
        return number;
    }

    boolean raise(Claim claim, String token, long number) {
        if (claim.keys().stream().anyMatch(key -> !(holding(key, token) instanceof HoldReply.Done))) {
            return false;
        }
        clock.raise(number);
        for (String key : claim.keys()) {
            holds.computeIfPresent(
                    key,
                    (same, hold) -> new Hold(
                            new LockValue(
                                    hold.token(),
                                    Math.max(number, hold.value().fencingToken()),
                                    hold.value().sinceMicros()),
                            hold.end()));
        }
        return true;
    }

    HoldReply giveUp(String key, ReleaseRequest request) {
        request.place().ifPresent(waiter -> queues.leave(key, waiter));
        HoldReply reply = holding(key, request.token());
        if (reply instanceof HoldReply.Done && request.rests()) {
            rest(key, request.restMillis());
        } else if (reply instanceof HoldReply.Done) {
            holds.remove(key);
            queues.first(key, Optional.empty()).ifPresent(next -> {
                queues.leave(key, next);
                queues.tellFreed(next);
            });
        }
        return reply;
    }

    private static boolean isOfRequest(Hold current, Claim claim, int index, String token) {
        List<String> parts = claim instanceof Claim.Locks locks ? locks.parts() : List.of();
        return current.token().equals(token)
                || (index < parts.size() && current.token().equals(parts.get(index)));
    }

    /** The number that this token has for all of these locks already, if it holds them by one. */
    private Optional<Long> commonNumber(List<String> keys, String token) {
        Set<Long> numbers = new HashSet<>();
        for (String key : keys) {
            Hold current = current(key);
            if (current == null || !current.token().equals(token)) {
                return Optional.empty();
            }
            numbers.add(current.value().fencingToken());
        }
        return numbers.size() == 1 ? Optional.of(numbers.iterator().next()) : Optional.empty();
    }

    void leaveQueue(String key, QueuePlace place) {
        queues.leave(key, place);
    }

    HoldReply release(String key, ReleaseRequest request) {
        HoldReply reply = holding(key, request.token());
        if (reply instanceof HoldReply.Done && request.rests()) {
            rest(key, request.restMillis());
        } else if (reply instanceof HoldReply.Done) {
            free(key);
        } else if (request.place().isPresent() && isFreeOrResting(key)) {
            // The one that gives up may have been the only one that knows that a rest ends, or has ended.
            queues.first(key, Optional.empty()).ifPresent(queues::tellFreed);
        }
        return reply;
    }

    private boolean isFreeOrResting(String key) {
        Hold current = current(key);
        return current == null || TokenText.isResting(current.token());
    }

    /** Keeps a lock taken after its hold. Its head of the queue asks when the rest ends. */
    private void rest(String key, long restMillis) {
        holds.computeIfPresent(key, (same, hold) -> new Hold(hold.value().resting(), clock.end(restMillis)));
        queues.first(key, Optional.empty()).ifPresent(queues::tellFreed);
    }

    HoldReply renew(String key, String token, long leaseMillis) {
        Hold current = current(key);
        HoldReply reply = holding(key, token);
        if (current != null && reply instanceof HoldReply.Done && leaseMillis != AcquireRequest.NO_EXPIRY) {
            prolong(key, current, leaseMillis);
        }
        return reply;
    }

    boolean isHeld(String key) {
        return current(key) != null;
    }

    boolean forceRelease(String key) {
        boolean held = isHeld(key);
        if (held) {
            free(key);
        }
        return held;
    }

    Set<String> keys() {
        return Set.copyOf(holds.keySet());
    }

    LockSnapshot snapshot(String key) {
        Optional<LockHolder> holder = Optional.ofNullable(current(key))
                .map(held ->
                        Snapshots.holder(LockKind.LOCK, held.token(), 1, remaining(held), Optional.of(held.value())));
        List<LockWaiter> queue = Snapshots.waiters(LockKind.LOCK, queues.shown(key, Snapshots.MOST_SHOWN));
        return Snapshots.ofLock(key, holder, queue, queues.length(key), List.of());
    }

    /** Nothing else would ever forget a hold that expired and is never asked for again. */
    void sweep() {
        new ArrayList<>(holds.keySet()).forEach(this::current);
        queues.sweep();
    }

    private void free(String key) {
        holds.remove(key);
        handOver(key, Optional.empty());
    }

    /** Gives a free lock to the first in its queue, unless it is the turn of {@code own}, which is out of the queue then. */
    private void handOver(String key, Optional<QueuePlace> own) {
        queues.first(key, own).ifPresent(next -> {
            queues.leave(key, next);
            if (!next.equals(own.orElse(null))) {
                long fencingToken = grant(key, next.token(), next.leaseMillis());
                queues.tellGranted(next, fencingToken, clock.micros());
            }
        });
    }

    private long grant(String key, String token, long leaseMillis) {
        LockValue granted = clock.grant(token);
        holds.put(key, new Hold(granted, clock.end(leaseMillis)));
        return granted.fencingToken();
    }

    /** Sets the end of a hold, but never to sooner than it is. */
    private void prolong(String key, Hold hold, long leaseMillis) {
        MemoryEnd end = clock.end(leaseMillis);
        holds.put(key, new Hold(hold.value(), hold.end().never() ? end : end.orLater(hold.end())));
    }

    private HoldReply holding(String key, String token) {
        Hold current = current(key);
        return current != null && current.token().equals(token)
                ? HoldReply.DONE
                : new HoldReply.NotHeld(Optional.ofNullable(current).map(Hold::token));
    }

    private @Nullable Hold current(String key) {
        Hold hold = holds.get(key);
        if (hold != null && hold.end().isOver(clock.nanos())) {
            holds.remove(key);
            return null;
        }
        return hold;
    }

    private AcquireReply busy(@Nullable Hold current) {
        if (current == null) {
            return AcquireReply.Busy.UNKNOWN;
        }
        return new AcquireReply.Busy(
                Optional.of(current.token()),
                remaining(current),
                OptionalLong.of(clock.micros()),
                AcquireReply.HolderKind.KEYHOLD);
    }

    private OptionalLong remaining(Hold hold) {
        return hold.end().remainingMillis(clock.nanos());
    }
}
