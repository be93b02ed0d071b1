package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.RaiseRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The locks of a {@link MemoryStore}, under its guard. */
final class MemoryLocks {

    private final KeyholdClock clock;
    private final Map<String, Hold> holds = new HashMap<>();
    private final Map<String, GrantRecord> records = new HashMap<>();
    private final MemoryQueues queues;

    MemoryLocks(KeyholdClock clock, MemoryInboxes inboxes) {
        this.clock = clock;
        this.queues = new MemoryQueues(inboxes);
    }

    private record Hold(String token, MemoryEnd end) {}

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
            return new AcquireReply.Granted(goOn(key, request));
        }
        place.ifPresent(waiter -> queues.join(key, waiter));
        return busy(key, current);
    }

    /** All of them or none. Nobody waits for several, so the request has no place. */
    AcquireReply acquireAll(Claim.Locks claim, AcquireRequest request) {
        boolean leave = request.ifFree() == AcquireRequest.IfFree.LEAVE;
        for (int i = 0; i < claim.keys().size(); i++) {
            String key = claim.keys().get(i);
            if (!leave && current(key) == null) {
                handOver(key, Optional.empty());
            }
            Hold current = current(key);
            if (current == null ? leave : !isOfAsker(current, claim, i, request.token())) {
                return busy(key, current);
            }
        }
        Optional<Long> number = commonNumber(claim.keys(), request.token());
        long nowMicros = wallMicros();
        long fencingToken = number.orElseGet(() -> numberAbove(claim.keys(), nowMicros));
        for (String key : claim.keys()) {
            hold(key, request.token(), request.leaseMillis());
            if (number.isEmpty()) {
                records.put(key, new GrantRecord(fencingToken, nowMicros, request.token()));
            }
        }
        return new AcquireReply.Granted(fencingToken);
    }

    /** As {@link #acquireAll}, but numbered by proposal, and with nobody who is handed anything. */
    VoteReply vote(VoteRequest request, String server) {
        Claim claim = request.claim();
        boolean leave = request.ifFree() == AcquireRequest.IfFree.LEAVE;
        for (int i = 0; i < claim.keys().size(); i++) {
            String key = claim.keys().get(i);
            Hold current = current(key);
            if (current == null ? leave : !isOfAsker(current, claim, i, request.token())) {
                request.place().ifPresent(waiter -> queues.join(key, waiter));
                return new VoteReply.Busy(
                        Optional.ofNullable(current).map(Hold::token),
                        current == null ? OptionalLong.empty() : remaining(current),
                        server);
            }
        }
        request.place().ifPresent(waiter -> claim.keys().forEach(key -> queues.leave(key, waiter)));
        Optional<Long> known = commonNumber(claim.keys(), request.token());
        long number = known.orElseGet(() -> numberAbove(claim.keys(), request.proposal()));
        for (String key : claim.keys()) {
            hold(key, request.token(), request.leaseMillis());
            if (known.isEmpty()) {
                records.put(key, new GrantRecord(number, wallMicros(), request.token()));
            }
        }
        return new VoteReply.Granted(number, server);
    }

    boolean raise(RaiseRequest request) {
        List<String> keys = request.claim().keys();
        if (keys.stream().anyMatch(key -> !(holding(key, request.token()) instanceof HoldReply.Done))) {
            return false;
        }
        for (String key : keys) {
            GrantRecord last = records.get(key);
            long number = Math.max(last == null ? 0 : last.fencingToken(), request.number());
            records.put(
                    key, new GrantRecord(number, last == null ? wallMicros() : last.sinceMicros(), request.token()));
        }
        return true;
    }

    HoldReply giveUp(String key, String token, Optional<QueuePlace> place) {
        place.ifPresent(waiter -> queues.leave(key, waiter));
        HoldReply reply = holding(key, token);
        if (reply instanceof HoldReply.Done) {
            holds.remove(key);
            queues.first(key, Optional.empty()).ifPresent(next -> {
                queues.leave(key, next);
                queues.tellFreed(next);
            });
        }
        return reply;
    }

    private static boolean isOfAsker(Hold current, Claim claim, int index, String token) {
        List<String> parts = claim instanceof Claim.Locks locks ? locks.parts() : List.of();
        return current.token().equals(token)
                || (index < parts.size() && current.token().equals(parts.get(index)));
    }

    /** The number that this token has for all of these locks already, if it holds them by one. */
    private Optional<Long> commonNumber(List<String> keys, String token) {
        GrantRecord first = records.get(keys.get(0));
        for (String key : keys) {
            Hold current = current(key);
            GrantRecord record = records.get(key);
            if (current == null || !current.token().equals(token) || record == null || !record.equals(first)) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(first)
                .filter(record -> record.token().equals(token))
                .map(GrantRecord::fencingToken);
    }

    private long numberAbove(List<String> keys, long nowMicros) {
        return keys.stream()
                .mapToLong(key -> GrantRecord.next(Optional.ofNullable(records.get(key)), nowMicros))
                .max()
                .orElseThrow();
    }

    void leaveQueue(String key, QueuePlace place) {
        queues.leave(key, place);
    }

    HoldReply release(String key, String token) {
        HoldReply reply = holding(key, token);
        if (reply instanceof HoldReply.Done) {
            free(key);
        }
        return reply;
    }

    HoldReply renew(String key, String token, long leaseMillis) {
        HoldReply reply = holding(key, token);
        if (reply instanceof HoldReply.Done && leaseMillis != AcquireRequest.NO_EXPIRY) {
            hold(key, token, leaseMillis);
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

    LockView view(String key) {
        Optional<HoldView> hold = Optional.ofNullable(current(key))
                .map(held -> new HoldView(held.token(), 1, remaining(held), Optional.ofNullable(records.get(key))));
        return LockView.ofLock(key, hold, queues.shown(key, LockView.MOST_SHOWN), queues.length(key));
    }

    /** Nothing else would ever forget a key that is locked once and never again. */
    void sweep() {
        new ArrayList<>(holds.keySet()).forEach(this::current);
        long oldest = wallMicros() - MemoryStore.RECORD_RETENTION.toMillis() * 1000;
        records.entrySet()
                .removeIf(entry -> entry.getValue().sinceMicros() < oldest && !holds.containsKey(entry.getKey()));
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
                queues.tellGranted(next, new GrantNotice(next.number(), fencingToken, MemoryStore.micros(clock)));
            }
        });
    }

    private long grant(String key, String token, long leaseMillis) {
        hold(key, token, leaseMillis);
        long nowMicros = wallMicros();
        long fencingToken = GrantRecord.next(Optional.ofNullable(records.get(key)), nowMicros);
        records.put(key, new GrantRecord(fencingToken, nowMicros, token));
        return fencingToken;
    }

    private long goOn(String key, AcquireRequest request) {
        GrantRecord last = records.get(key);
        if (last == null || !last.token().equals(request.token())) {
            return grant(key, request.token(), request.leaseMillis());
        }
        hold(key, request.token(), request.leaseMillis());
        return last.fencingToken();
    }

    /** Sets the end of a hold, but never to sooner than it is. */
    private void hold(String key, String token, long leaseMillis) {
        MemoryEnd end = MemoryEnd.of(leaseMillis, clock.monotonicNanos());
        Hold current = holds.get(key);
        if (current != null && current.token().equals(token) && !current.end().never()) {
            end = end.orLater(current.end());
        }
        holds.put(key, new Hold(token, end));
    }

    private HoldReply holding(String key, String token) {
        Hold current = current(key);
        return current != null && current.token().equals(token)
                ? HoldReply.DONE
                : new HoldReply.NotHeld(Optional.ofNullable(current).map(Hold::token));
    }

    private @Nullable Hold current(String key) {
        Hold hold = holds.get(key);
        if (hold != null && hold.end().isOver(clock.monotonicNanos())) {
            holds.remove(key);
            return null;
        }
        return hold;
    }

    private AcquireReply busy(String key, @Nullable Hold current) {
        if (current == null) {
            return AcquireReply.Busy.nobody();
        }
        GrantRecord last = records.get(key);
        boolean ours = last != null && last.token().equals(current.token());
        return new AcquireReply.Busy(
                Optional.of(current.token()),
                remaining(current),
                OptionalLong.of(MemoryStore.micros(clock)),
                ours ? AcquireReply.HolderKind.KEYHOLD : AcquireReply.HolderKind.FOREIGN);
    }

    private OptionalLong remaining(Hold hold) {
        return hold.end().remainingMillis(clock.monotonicNanos());
    }

    private long wallMicros() {
        return clock.wallMillis() * 1000;
    }
}
