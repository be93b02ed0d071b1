package io.keyhold.internal.simulation;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.LockStore;
import io.keyhold.spi.CallMode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;

/**
 * What a client's store grants in time, whether it reaches the user or not: the fencing token is larger than all that were granted before it
 * was first asked for by this token.
 */
final class WatchedStore extends DelegatingStore {

    private final Tokens tokens;
    private final KeyholdClock clock;
    private final Map<String, Long> floors = new HashMap<>();

    WatchedStore(LockStore store, Tokens tokens, KeyholdClock clock) {
        super(store);
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        long floor = floors.computeIfAbsent(
                request.token(), none -> tokens.largest(request.claim().keys()));
        LongPredicate inTime = lasting();
        return super.acquire(request, mode, sending).thenApply(reply -> {
            // What is granted after its lease is nobody's: the client gives it back.
            if (reply instanceof AcquireReply.Granted granted && inTime.test(request.leaseMillis())) {
                tokens.granted(request.claim().keys(), Trace.brief(request.token()), granted.fencingToken(), floor);
            }
            return reply;
        });
    }

    /** Whether a lease of so many milliseconds from now on goes on yet, by either clock: a machine that sleeps stops one of them. */
    private LongPredicate lasting() {
        long nanos = clock.monotonicNanos();
        long wall = clock.wallMillis();
        return lease -> lease == AcquireRequest.NO_EXPIRY
                || (clock.monotonicNanos() - nanos < lease * Weather.MILLI && clock.wallMillis() - wall < lease);
    }
}
