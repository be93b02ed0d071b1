package io.keyhold.internal.store.cluster;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stands for a node that could not be opened: its calls fail, and those to other nodes do not. */
final class UnopenedDriver implements RedisDriver {

    private final RedisAddress node;
    private final RuntimeException reason;

    UnopenedDriver(RedisAddress node, RuntimeException reason) {
        this.node = node;
        this.reason = reason;
    }

    @Override
    public String address() {
        return node.toString();
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        return failed();
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        return failed();
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
        return failed();
    }

    private <T> CompletionStage<T> failed() {
        return CompletableFuture.failedFuture(DriverFailures.cannotConnect(address(), reason));
    }

    @Override
    public void close() {}
}
