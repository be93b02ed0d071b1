package io.keyhold.internal.store.cluster;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries commands to a node to which their slot is being moved. The node executes them for keys that have arrived, but only directly behind
 * {@code ASKING} on the same connection. Closes nothing: the driver below is the node's own.
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
                options,
                session -> new AskingSession(session).pipeline(List.of(call)).thenApply(replies -> replies.get(0)));
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return node.withSession(options, session -> work.apply(new AskingSession(session)));
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return node.subscribe(channel, listener);
    }

    @Override
    public void close() {}

    private record AskingSession(RedisSession session) implements RedisSession {

        @Override
        public CompletionStage<List<@Nullable Object>> pipeline(List<RedisCall> calls) {
            List<RedisCall> both = new ArrayList<>(calls.size() * 2);
            calls.forEach(call -> {
                both.add(ASKING);
                both.add(call);
            });
            return session.pipeline(both).thenApply(replies -> {
                List<@Nullable Object> wanted = new ArrayList<>(calls.size());
                for (int i = 1; i < replies.size(); i += 2) {
                    wanted.add(replies.get(i));
                }
                return wanted;
            });
        }

        /** The node keeps the permission for all commands of a transaction that follows it. */
        @Override
        public CompletionStage<@Nullable List<@Nullable Object>> transaction(List<RedisCall> calls) {
            return Stages.compose(session.pipeline(List.of(ASKING)), asked -> session.transaction(calls));
        }
    }
}
