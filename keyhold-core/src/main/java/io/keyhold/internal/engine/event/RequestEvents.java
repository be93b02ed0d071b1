package io.keyhold.internal.engine.event;

import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdListener;
import io.keyhold.KeyholdListener.Ended;
import io.keyhold.KeyholdListener.Granted;
import io.keyhold.KeyholdListener.NotGranted;
import io.keyhold.LeaseLost;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of one request, each at most once and in order. Its outcome and the end of its lease are reported by different threads: a
 * thread that waits for the outcome may release the lease before the thread that decided the outcome has reported the grant. Such an end
 * waits for the grant here. An end that no grant precedes is dropped: the lease came after the request was given up, and no user has had it.
 */
public final class RequestEvents {

    private enum State {
        PENDING,
        GRANTED,
        OVER
    }

    private final Listeners listeners;
    private final KeyholdClock clock;
    private final KeyholdListener.Request request;
    private final long beganNanos;
    private State state = State.PENDING;
    private @Nullable Consumer<KeyholdListener> earlyEnd;

    RequestEvents(Listeners listeners, KeyholdClock clock, KeyholdListener.Request request) {
        this.listeners = listeners;
        this.clock = clock;
        this.request = request;
        this.beganNanos = clock.monotonicNanos();
    }

    /** Reports that it was granted. */
    public void granted(int attempts, Granted.Path path, long fencingToken, String token) {
        Granted event = new Granted(request, waited(), attempts, path, fencingToken, token);
        synchronized (this) {
            if (state != State.PENDING) {
                return;
            }
            listeners.add(listener -> listener.granted(event));
            state = State.GRANTED;
            Consumer<KeyholdListener> early = earlyEnd;
            if (early != null) {
                addEnd(early);
            }
        }
        listeners.deliver();
    }

    /** Reports that it was not granted, and never will be. */
    public void notGranted(int attempts, NotGranted.Outcome outcome, Optional<Throwable> failure) {
        NotGranted event = new NotGranted(request, waited(), attempts, outcome, failure);
        synchronized (this) {
            if (state != State.PENDING) {
                return;
            }
            listeners.add(listener -> listener.notGranted(event));
            state = State.OVER;
        }
        listeners.deliver();
    }

    /** Reports the end of the lease that came of it, which began at this time of the monotonic clock. */
    public void ended(long leaseBeganNanos, Ended.End end, Optional<LeaseLost> loss, long fencingToken, String token) {
        Ended event = new Ended(request, since(leaseBeganNanos), end, loss, fencingToken, token);
        Consumer<KeyholdListener> tell = listener -> listener.ended(event);
        synchronized (this) {
            if (state == State.GRANTED) {
                addEnd(tell);
            } else if (earlyEnd == null) {
                earlyEnd = tell;
            }
        }
        listeners.deliver();
    }

    private synchronized void addEnd(Consumer<KeyholdListener> end) {
        listeners.add(end);
        state = State.OVER;
    }

    private Duration waited() {
        return since(beganNanos);
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(Math.max(0, clock.monotonicNanos() - nanos));
    }
}
