package io.keyhold.internal.topology;

import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A driver with prepared replies, by the name of the command. */
final class FakeServer implements RedisDriver {

    private final String address;
    private final Map<String, Supplier<CompletionStage<@Nullable Object>>> replies = new HashMap<>();
    final List<String> received = new ArrayList<>();

    @Nullable
    RedisListener listener;

    boolean closed;

    FakeServer(String address) {
        this.address = address;
    }

    static FakeServer sentinel(String address, RedisAddress master, long epoch) {
        FakeServer sentinel = new FakeServer(address);
        sentinel.names(master, epoch);
        return sentinel;
    }

    static FakeServer withRole(String address, String role) {
        return new FakeServer(address).replies("ROLE", List.of(role)).replies("PING", address);
    }

    FakeServer names(RedisAddress master, long epoch) {
        return replies("SENTINEL", told(master, epoch, "master"));
    }

    /** Returns what a sentinel says of this master. The first value is a trap for a search that does not tell names from values. */
    static List<Object> told(RedisAddress master, long epoch, String flags) {
        return List.of(
                "name",
                "ip",
                "ip",
                master.host(),
                "port",
                "" + master.port(),
                "flags",
                flags,
                "config-epoch",
                "" + epoch);
    }

    FakeServer replies(String command, Object reply) {
        replies.put(command, () -> CompletableFuture.completedFuture(reply));
        return this;
    }

    FakeServer fails(String command, Throwable failure) {
        replies.put(command, () -> CompletableFuture.failedFuture(failure));
        return this;
    }

    FakeServer repliesLater(String command, CompletionStage<@Nullable Object> reply) {
        replies.put(command, () -> reply);
        return this;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        received.add(call.command());
        Supplier<CompletionStage<@Nullable Object>> reply = replies.get(call.command());
        if (reply == null) {
            throw new IllegalStateException(address + " has no reply to " + call);
        }
        return reply.get();
    }

    @Override
    public <T> CompletionStage<T> withSession(CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener messages) {
        received.add("SUBSCRIBE " + channel);
        listener = messages;
        return CompletableFuture.completedFuture(() -> {});
    }

    @Override
    public void close() {
        closed = true;
    }
}
