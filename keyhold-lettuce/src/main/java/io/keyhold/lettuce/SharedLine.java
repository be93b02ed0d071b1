package io.keyhold.lettuce;

import io.keyhold.spi.RedisCall;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The one line for all calls that need none of their own. Opened by the first call, and by the first after a loss. */
final class SharedLine {

    private final Dialer dialer;
    private final Endpoint endpoint;
    private final AtomicReference<@Nullable CompletableFuture<Line>> current = new AtomicReference<>();

    SharedLine(Dialer dialer, Endpoint endpoint) {
        this.dialer = dialer;
        this.endpoint = endpoint;
    }

    CompletionStage<@Nullable Object> call(RedisCall call, Runnable sending) {
        return Stages.compose(current(), line -> {
            sending.run();
            CompletableFuture<@Nullable Object> reply = line.trySend(List.of(call), replies -> replies.get(0));
            return reply != null ? reply : CompletableFuture.failedFuture(Failures.notSent(endpoint));
        });
    }

    /** The line, or the attempt to open one that is under way. */
    private CompletableFuture<Line> current() {
        while (true) {
            CompletableFuture<Line> known = current.get();
            if (known != null && (!known.isDone() || isUsable(known))) {
                return known;
            }
            CompletableFuture<Line> next = new CompletableFuture<>();
            if (current.compareAndSet(known, next)) {
                if (known != null && !known.isCompletedExceptionally()) {
                    known.join().retire();
                }
                Stages.forward(dialer.dial(), next);
                return next;
            }
        }
    }

    private static boolean isUsable(CompletableFuture<Line> line) {
        return !line.isCompletedExceptionally() && line.join().isUsable();
    }
}
