package io.keyhold.lettuce;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;

/** The lines for exclusive work: as many as work needs at a time, up to a limit, and kept for a while for the next. */
final class SessionLines {

    private static final long SURPLUS_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final Dialer dialer;
    private final Endpoint endpoint;
    private final Permits permits;
    private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

    private record Idle(Line line, long since) {}

    SessionLines(Dialer dialer, Endpoint endpoint, int most) {
        this.dialer = dialer;
        this.endpoint = endpoint;
        this.permits = new Permits(most);
    }

    /** A line that nobody else uses. Fails within the connect timeout, with what the driver's caller is to get. */
    CompletableFuture<Line> borrow() {
        CompletableFuture<Line> line = new CompletableFuture<>();
        Stages.within(
                        endpoint.connectTimeout(),
                        Stages.compose(permits.acquire(), permit -> idleOrNew()),
                        this::giveBack)
                .whenComplete((borrowed, failure) -> {
                    if (failure == null) {
                        line.complete(borrowed);
                    } else {
                        line.completeExceptionally(Failures.whileConnecting(endpoint, failure));
                    }
                });
        return line;
    }

    private CompletionStage<Line> idleOrNew() {
        for (Idle found = idle.pollFirst(); found != null; found = idle.pollFirst()) {
            if (found.line().isUsable()) {
                return CompletableFuture.completedFuture(found.line());
            }
            found.line().retire();
        }
        return dialer.dial().whenComplete((line, failure) -> {
            if (failure != null) {
                permits.release();
            }
        });
    }

    void giveBack(Line line) {
        if (line.isUsable()) {
            idle.addFirst(new Idle(line, System.nanoTime()));
        } else {
            line.retire();
        }
        permits.release();
    }

    /** Closes those that have had nothing to do for a while, from the oldest on. The shared line is the one to stay. */
    void trim() {
        for (Idle oldest = idle.peekLast(); oldest != null; oldest = idle.peekLast()) {
            if (System.nanoTime() - oldest.since() < SURPLUS_AFTER_NANOS) {
                return;
            }
            if (idle.removeLastOccurrence(oldest)) { // Else it has just been borrowed.
                oldest.line().retire();
            }
        }
    }
}
