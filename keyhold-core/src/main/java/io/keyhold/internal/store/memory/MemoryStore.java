package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks inside this JVM. One guard makes each operation atomic, as one thread does in a Redis server; holds end by the
 * clock, noticed when somebody looks. A space outlives its clients, so {@link #close()} does nothing.
 */
public final class MemoryStore implements LockStore {

    private static final Duration RECORD_RETENTION = Duration.ofHours(24);
    private static final int GRANTS_BETWEEN_SWEEPS = 4096;

    private final KeyholdClock clock;
    private final ReentrantLock guard = new ReentrantLock();
    private final Map<String, Hold> holds = new HashMap<>();
    private final Map<String, GrantRecord> records = new HashMap<>();
    private final MemoryQueues queues = new MemoryQueues();
    private int grantsUntilSweep = GRANTS_BETWEEN_SWEEPS;

    /** An empty space whose holds end by this clock. */
    public MemoryStore(KeyholdClock clock) {
        this.clock = clock;
    }

    private record Hold(String token, boolean expires, long endsAtNanos) {}

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode) {
        return atomically(() -> {
            String key = request.claim().key();
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
                return new AcquireReply.Granted(goOn(request));
            }
            place.ifPresent(waiter -> queues.join(key, waiter));
            return busy(key, current);
        });
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return atomically(() -> {
            request.place().ifPresent(waiter -> queues.leave(request.claim().key(), waiter));
            HoldReply reply = holding(request.claim().key(), request.token());
            if (reply instanceof HoldReply.Done) {
                free(request.claim().key());
            }
            return reply;
        });
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return atomically(() -> {
            List<HoldReply> replies = new ArrayList<>(requests.size());
            for (RenewRequest request : requests) {
                HoldReply reply = holding(request.claim().key(), request.token());
                if (reply instanceof HoldReply.Done && request.leaseMillis() != AcquireRequest.NO_EXPIRY) {
                    hold(request.claim().key(), request.token(), request.leaseMillis());
                }
                replies.add(reply);
            }
            return replies;
        });
    }

    @Override
    public CompletionStage<LockView> look(String key, CallMode mode) {
        return atomically(() -> view(key));
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        GlobPattern glob = new GlobPattern(pattern);
        return atomically(() -> {
            List<LockView> found = new ArrayList<>();
            for (String key : List.copyOf(holds.keySet())) {
                if (glob.matches(key) && current(key) != null) {
                    found.add(view(key));
                }
            }
            return new Page(found, "0");
        });
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return atomically(() -> {
            boolean held = current(key) != null;
            if (held) {
                free(key);
            }
            return held;
        });
    }

    @Override
    public CompletionStage<Optional<LockView>> lookAtPermits(String key, CallMode mode) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Optional<Inbox>> openInbox(Inbox.Listener listener) {
        return atomically(() -> Optional.of(queues.open(listener)));
    }

    @Override
    public void close() {}

    private void free(String key) {
        holds.remove(key);
        handOver(key, Optional.empty());
    }

    /** Gives a free lock to the first in its queue, unless it is the turn of {@code own}. */
    private void handOver(String key, Optional<QueuePlace> own) {
        queues.next(key, own)
                .ifPresent(next -> queues.tell(
                        next,
                        new GrantNotice(next.number(), grant(key, next.token(), next.leaseMillis()), steadyMicros())));
    }

    private long grant(String key, String token, long leaseMillis) {
        hold(key, token, leaseMillis);
        long nowMicros = clock.wallMillis() * 1000;
        long fencingToken = GrantRecord.next(Optional.ofNullable(records.get(key)), nowMicros);
        records.put(key, new GrantRecord(fencingToken, nowMicros, token));
        sweepNowAndThen(nowMicros);
        return fencingToken;
    }

    private long goOn(AcquireRequest request) {
        GrantRecord last = records.get(request.claim().key());
        if (last == null || !last.token().equals(request.token())) {
            return grant(request.claim().key(), request.token(), request.leaseMillis());
        }
        hold(request.claim().key(), request.token(), request.leaseMillis());
        return last.fencingToken();
    }

    /** Sets the end of a hold, but never to sooner than it is. */
    private void hold(String key, String token, long leaseMillis) {
        boolean expires = leaseMillis != AcquireRequest.NO_EXPIRY;
        long endsAt = clock.monotonicNanos() + Duration.ofMillis(leaseMillis).toNanos();
        Hold current = holds.get(key);
        if (current != null
                && current.token().equals(token)
                && current.expires()
                && current.endsAtNanos() - endsAt > 0) {
            endsAt = current.endsAtNanos();
        }
        holds.put(key, new Hold(token, expires, endsAt));
    }

    private HoldReply holding(String key, String token) {
        Hold current = current(key);
        return current != null && current.token().equals(token)
                ? HoldReply.DONE
                : new HoldReply.NotHeld(Optional.ofNullable(current).map(Hold::token));
    }

    private @Nullable Hold current(String key) {
        Hold hold = holds.get(key);
        if (hold != null && hold.expires() && hold.endsAtNanos() - clock.monotonicNanos() <= 0) {
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
                OptionalLong.of(steadyMicros()),
                ours ? AcquireReply.HolderKind.KEYHOLD : AcquireReply.HolderKind.FOREIGN);
    }

    /** The clock by which holds end, so that a wall clock that is set cannot make a grant seem younger than it is. */
    private long steadyMicros() {
        return clock.monotonicNanos() / 1000;
    }

    private LockView view(String key) {
        Optional<HoldView> hold = Optional.ofNullable(current(key))
                .map(held -> new HoldView(held.token(), 1, remaining(held), Optional.ofNullable(records.get(key))));
        return LockView.ofLock(key, hold, queues.first(key, LockView.MOST_SHOWN), queues.length(key));
    }

    private OptionalLong remaining(Hold hold) {
        return hold.expires()
                ? OptionalLong.of(Duration.ofNanos(hold.endsAtNanos() - clock.monotonicNanos())
                        .toMillis())
                : OptionalLong.empty();
    }

    /** Nothing else would ever forget a key that is locked once and never again. */
    private void sweepNowAndThen(long nowMicros) {
        if (--grantsUntilSweep > 0) {
            return;
        }
        grantsUntilSweep = GRANTS_BETWEEN_SWEEPS;
        List.copyOf(holds.keySet()).forEach(this::current);
        long oldest = nowMicros - RECORD_RETENTION.toMillis() * 1000;
        records.entrySet()
                .removeIf(entry -> entry.getValue().sinceMicros() < oldest && !holds.containsKey(entry.getKey()));
    }

    /** Messages go out after the guard is free: whoever gets one may come back at once. */
    private <T> CompletionStage<T> atomically(Supplier<T> work) {
        T result;
        List<Runnable> messages;
        guard.lock();
        try {
            result = work.get();
            messages = queues.takeMessages();
        } finally {
            guard.unlock();
        }
        messages.forEach(Runnable::run);
        return CompletableFuture.completedFuture(result);
    }
}
