package io.keyhold.doctor;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A real server with altered replies, for what no setting can cause: an old version, a wrong clock. */
record AlteredDriver(RedisDriver real, BiFunction<RedisCall, Object, Object> alteration) implements RedisDriver {

    @Override
    public String address() {
        return real.address();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        return real.call(call, options).thenApply(reply -> reply == null ? null : alteration.apply(call, reply));
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return real.withSession(options, work);
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return real.subscribe(channel, listener);
    }

    @Override
    public void close() {
        real.close();
    }
}
