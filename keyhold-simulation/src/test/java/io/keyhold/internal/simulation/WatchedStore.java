package io.keyhold.internal.simulation;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.LockStore;
import io.keyhold.spi.CallMode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What a client's store grants, whether it reaches the user or not: the fencing token is larger than all that were granted before it
 * was first asked for by this token.
 */
final class WatchedStore extends DelegatingStore {

    private final Tokens tokens;
    private final Map<String, Long> floors = new HashMap<>();

    WatchedStore(LockStore store, Tokens tokens) {
        super(store);
        this.tokens = tokens;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode) {
        long floor = floors.computeIfAbsent(
                request.token(), none -> tokens.largest(request.claim().keys()));
        return super.acquire(request, mode).thenApply(reply -> {
            if (reply instanceof AcquireReply.Granted granted) {
                tokens.granted(request.claim().keys(), Trace.brief(request.token()), granted.fencingToken(), floor);
            }
            return reply;
        });
    }
}
