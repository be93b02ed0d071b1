package io.keyhold.lettuce;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The lines for exclusive work: as many as work needs at a time, up to a limit for each lane, and kept for a while for the
 * next. The lines themselves belong to no lane.
 */
final class SessionLines {

    private static final long SURPLUS_AFTER_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int RENEWALS_AT_ONCE = 8;

    private final Dialer dialer;
    private final Endpoint endpoint;
    private final Map<CallLane, Permits> permits = new EnumMap<>(CallLane.class);
    private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

    private record Idle(Line line, long since) {}

    SessionLines(Dialer dialer, Endpoint endpoint, int most) {
        this.dialer = dialer;
        this.endpoint = endpoint;
        permits.put(CallLane.REQUEST, new Permits(most, endpoint.connectTimeout()));
        permits.put(CallLane.RELEASE, new Permits(most, endpoint.connectTimeout()));
        permits.put(CallLane.RENEWAL, new Permits(RENEWALS_AT_ONCE, endpoint.connectTimeout()));
    }

    /**
     * A line for one session alone; for a release one that has just been alive. Fails within the connect timeout after the
     * lane had a place for it, with what the driver's caller is to get.
     */
    CompletableFuture<Line> borrow(CallLane lane) {
        return Stages.recover(
                Stages.compose(
                        permits(lane).acquire(),
                        permit -> Timeouts.within(
                                endpoint.connectTimeout(), idleOrNew(lane), line -> giveBack(lane, line))),
                failure -> CompletableFuture.failedFuture(Failures.whileConnecting(endpoint, failure)));
    }

    private Permits permits(CallLane lane) {
        return Objects.requireNonNull(permits.get(lane));
    }

    private CompletionStage<Line> idleOrNew(CallLane lane) {
        for (Idle found = idle.pollFirst(); found != null; found = idle.pollFirst()) {
            Line line = found.line();
            if (line.isUsable()) {
                return lane != CallLane.RELEASE
                        ? CompletableFuture.completedFuture(line)
                        : Stages.compose(
                                line.isAlive(), alive -> alive ? CompletableFuture.completedFuture(line) : dial(lane));
            }
            line.retire();
        }
        return dial(lane);
    }

    private CompletableFuture<Line> dial(CallLane lane) {
        return dialer.dial().whenComplete((line, failure) -> {
            if (failure != null) {
                permits(lane).release();
            }
        });
    }

    /** What broke one line has most likely broken the idle ones too: a call that is repeated must not get another of them. */
    void giveBack(CallLane lane, Line line) {
        if (line.isUsable()) {
            idle.addFirst(new Idle(line, System.nanoTime()));
            permits(lane).progressed();
        } else {
            line.retire();
            for (Idle found = idle.pollFirst(); found != null; found = idle.pollFirst()) {
                found.line().retire();
            }
        }
        permits(lane).release();
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
