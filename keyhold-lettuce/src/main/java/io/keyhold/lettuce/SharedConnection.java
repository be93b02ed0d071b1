package io.keyhold.lettuce;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One connection for many calls that need none of their own. Opened by the first call, and by the first after a loss. */
final class SharedConnection {

    /** The server replies to this many calls in a few milliseconds. */
    private static final int CROWD = 16;

    private static final int MAX_TRIES = 2;

    private final Supplier<CompletableFuture<LettuceConnection>> connect;
    private final AtomicReference<@Nullable CompletableFuture<LettuceConnection>> current = new AtomicReference<>();
    private final AtomicInteger calls = new AtomicInteger();

    SharedConnection(Supplier<CompletableFuture<LettuceConnection>> connect) {
        this.connect = connect;
    }

    /** Returns whether a call would have to wait behind many others. */
    boolean isCrowded() {
        return calls.get() >= CROWD;
    }

    CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        calls.incrementAndGet();
        CompletableFuture<@Nullable Object> reply = send(call, options, MAX_TRIES);
        reply.whenComplete((done, failure) -> calls.decrementAndGet());
        return reply;
    }

    /** If the connection turns out to be lost before the call was sent, the call is sent on the next one. */
    private CompletableFuture<@Nullable Object> send(RedisCall call, CallOptions options, int tries) {
        return Stages.compose(alive(options.lane()), connection -> {
            CompletableFuture<@Nullable Object> reply =
                    connection.send(List.of(call), options.sending()).thenApply(replies -> replies.get(0));
            return Stages.recover(
                    reply,
                    failure -> tries > 1 && LettuceConnection.isNotSent(failure)
                            ? send(call, options, tries - 1)
                            : CompletableFuture.failedFuture(failure));
        });
    }

    private CompletableFuture<LettuceConnection> alive(CallLane lane) {
        return Stages.compose(
                current(),
                known -> Stages.compose(
                        known.isAliveFor(lane), alive -> alive ? CompletableFuture.completedFuture(known) : current()));
    }

    /** Returns the connection, or the attempt to open one that is in flight. */
    private CompletableFuture<LettuceConnection> current() {
        while (true) {
            CompletableFuture<LettuceConnection> known = current.get();
            LettuceConnection opened = opened(known);
            boolean opening = known != null && !known.isDone();
            if (known != null && (opening || (opened != null && opened.isUsable()))) {
                return known;
            }
            CompletableFuture<LettuceConnection> next = new CompletableFuture<>();
            if (current.compareAndSet(known, next)) {
                if (opened != null) {
                    opened.close();
                }
                Stages.forward(Stages.flat(connect), next); // Otherwise all later calls would wait for one that throws.
                return next;
            }
        }
    }

    private static @Nullable LettuceConnection opened(@Nullable CompletableFuture<LettuceConnection> attempt) {
        return attempt == null || !attempt.isDone() || attempt.isCompletedExceptionally() ? null : attempt.join();
    }

    /** Closes the connection if it has been idle for a while. A call that comes meanwhile opens another. */
    void trim() {
        CompletableFuture<LettuceConnection> known = current.get();
        LettuceConnection opened = opened(known);
        if (opened != null && calls.get() == 0 && opened.isSurplus() && current.compareAndSet(known, null)) {
            opened.close();
        }
    }
}
