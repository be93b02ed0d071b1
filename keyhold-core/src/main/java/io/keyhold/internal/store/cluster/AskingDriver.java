package io.keyhold.internal.store.cluster;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries commands to a node to which their slot is being moved. The node executes them for keys that have arrived, but only directly behind
 * {@code ASKING} on the same connection. Closes nothing: the driver below is the node's own.
 *
 * <p>Lends no session, which is for durable grants and renewals: only the slot's own primary makes them. A former primary that does not know
 * of its successor still sends clients here, so that a lease could be prolonged here while the successor grants the same lock.
 */
final class AskingDriver implements RedisDriver {

    private static final RedisCall ASKING = RedisCall.of("ASKING");

    private final RedisDriver node;

    AskingDriver(RedisDriver node) {
        this.node = node;
    }

    @Override
    public String address() {
        return node.address();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        return node.withSession(
                options, session -> session.pipeline(List.of(ASKING, call)).thenApply(replies -> replies.get(1)));
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return CompletableFuture.failedStage(new RedisErrorException("TRYAGAIN the slot is being moved to " + address()
                + ", which makes durable grants when it has arrived"));
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return node.subscribe(channel, listener);
    }

    @Override
    public void close() {}
}
