package io.keyhold.lettuce;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One line for many calls that need none of their own. Opened by the first call, and by the first after a loss. */
final class SharedLine {

    /** So many calls are answered in a few milliseconds. */
    private static final int CROWD = 16;

    private static final long SURPLUS_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final Dialer dialer;
    private final AtomicReference<@Nullable CompletableFuture<Line>> current = new AtomicReference<>();
    private final AtomicInteger calls = new AtomicInteger();

    SharedLine(Dialer dialer) {
        this.dialer = dialer;
    }

    /** Whether a call would have to wait behind many others. */
    boolean isCrowded() {
        return calls.get() >= CROWD;
    }

    CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
        calls.incrementAndGet();
        CompletableFuture<@Nullable Object> reply = send(call, options, true);
        reply.whenComplete((done, failure) -> calls.decrementAndGet());
        return reply;
    }

    /** What was not sent on a line that was lost meanwhile is sent on the next. */
    private CompletableFuture<@Nullable Object> send(RedisCall call, CallOptions options, boolean again) {
        return Stages.compose(options.lane() == CallLane.RELEASE ? alive() : current(), line -> {
            CompletableFuture<@Nullable Object> reply =
                    line.send(List.of(call), options.sending(), replies -> replies.get(0));
            return again
                    ? Stages.recover(
                            reply,
                            failure -> Failures.isNotSent(failure)
                                    ? send(call, options, false)
                                    : CompletableFuture.failedFuture(failure))
                    : reply;
        });
    }

    private CompletableFuture<Line> alive() {
        return Stages.compose(
                current(),
                line -> Stages.compose(
                        line.isAlive(), alive -> alive ? CompletableFuture.completedFuture(line) : current()));
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

    /** Closes the line if it has had nothing to do for a while. */
    void trim() {
        CompletableFuture<Line> known = current.get();
        if (known == null || !known.isDone() || known.isCompletedExceptionally() || calls.get() > 0) {
            return;
        }
        Line line = known.join();
        // A call that has come meanwhile finds it retired, and opens another.
        if (line.nanosOfSilence() > SURPLUS_AFTER_NANOS && current.compareAndSet(known, null)) {
            line.retire();
        }
    }
}
