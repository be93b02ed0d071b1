package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.LockStore;
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
    private int grantsUntilSweep = GRANTS_BETWEEN_SWEEPS;

    /** An empty space whose holds end by this clock. */
    public MemoryStore(KeyholdClock clock) {
        this.clock = clock;
    }

    private record Hold(String token, boolean expires, long endsAtNanos) {}

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode) {
        return atomically(() -> {
            Hold current = current(request.key());
            boolean ours = current != null && current.token().equals(request.token());
            boolean free = current == null && request.ifFree() == AcquireRequest.IfFree.TAKE;
            return ours || free ? grant(request, current) : busy(current);
        });
    }

    @Override
    public CompletionStage<HoldReply> release(String key, String token, CallMode mode) {
        return atomically(() -> {
            HoldReply reply = holding(key, token);
            if (reply instanceof HoldReply.Done) {
                holds.remove(key);
            }
            return reply;
        });
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return atomically(() -> {
            List<HoldReply> replies = new ArrayList<>(requests.size());
            for (RenewRequest request : requests) {
                HoldReply reply = holding(request.key(), request.token());
                if (reply instanceof HoldReply.Done && request.leaseMillis() != AcquireRequest.NO_EXPIRY) {
                    hold(request.key(), request.token(), request.leaseMillis());
                }
                replies.add(reply);
            }
            return replies;
        });
    }

    @Override
    public CompletionStage<Optional<HoldView>> look(String key, CallMode mode) {
        return atomically(() -> Optional.ofNullable(current(key)).map(hold -> view(key, hold)));
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        GlobPattern glob = new GlobPattern(pattern);
        return atomically(() -> {
            List<HoldView> found = new ArrayList<>();
            for (String key : List.copyOf(holds.keySet())) {
                Hold hold = current(key);
                if (hold != null && glob.matches(key)) {
                    found.add(view(key, hold));
                }
            }
            return new Page(found, "0");
        });
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return atomically(() -> current(key) != null && holds.remove(key) != null);
    }

    @Override
    public void close() {}

    private AcquireReply grant(AcquireRequest request, @Nullable Hold current) {
        hold(request.key(), request.token(), request.leaseMillis());
        Optional<GrantRecord> last = Optional.ofNullable(records.get(request.key()));
        if (current != null && last.isPresent() && last.get().token().equals(request.token())) {
            return new AcquireReply.Granted(last.get().fencingToken());
        }
        long nowMicros = clock.wallMillis() * 1000;
        long fencingToken = GrantRecord.next(last, nowMicros);
        records.put(request.key(), new GrantRecord(fencingToken, nowMicros, request.token()));
        sweepNowAndThen(nowMicros);
        return new AcquireReply.Granted(fencingToken);
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

    private AcquireReply busy(@Nullable Hold current) {
        return current == null
                ? new AcquireReply.Busy(Optional.empty(), OptionalLong.empty())
                : new AcquireReply.Busy(Optional.of(current.token()), remaining(current));
    }

    private HoldView view(String key, Hold hold) {
        return new HoldView(key, hold.token(), remaining(hold), Optional.ofNullable(records.get(key)));
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

    private <T> CompletionStage<T> atomically(Supplier<T> work) {
        guard.lock();
        try {
            return CompletableFuture.completedFuture(work.get());
        } finally {
            guard.unlock();
        }
    }
}
