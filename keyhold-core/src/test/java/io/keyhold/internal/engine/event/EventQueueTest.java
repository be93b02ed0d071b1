package io.keyhold.internal.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.KeyholdListener;
import io.keyhold.KeyholdListener.Ended;
import io.keyhold.KeyholdListener.Granted;
import io.keyhold.KeyholdListener.NotGranted;
import io.keyhold.internal.engine.ManualTime;
import io.keyhold.internal.engine.RecordedEvents;
import io.keyhold.internal.engine.Undeclared;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.time.Callbacks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The way of events to listeners that are slow, throw, or have no thread; and events that threads report at the same time. */
class EventQueueTest {

    private static final int ROUNDS = 1_000;

    private final RecordedEvents events = new RecordedEvents();

    @Test
    void eventsWaitForTheExecutorInOrder() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        Listeners listeners = listeners(tasks::add, events);
        RequestEvents request = request(listeners);
        grant(request);
        end(request);
        assertThat(events.told()).containsExactly("1 requested");
        assertThat(tasks).as("one at a time").hasSize(1);
        tasks.remove().run();
        assertThat(events.told()).containsExactly("1 requested", "1 granted FREE", "1 ended RELEASED");
        assertThat(tasks).isEmpty();
    }

    @Test
    void manyEventsLeaveTheThreadToOtherCallbacks() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        Listeners listeners = listeners(tasks::add, events);
        for (int i = 0; i < 1_000; i++) {
            grant(request(listeners));
        }
        int runs = 0;
        while (!tasks.isEmpty()) {
            tasks.remove().run();
            runs++;
        }
        assertThat(events.told()).hasSize(2_000);
        assertThat(runs).isGreaterThan(10);
    }

    @Test
    void listenerThatNeverReturnsHasABoundedQueue() {
        List<Runnable> stuck = new ArrayList<>();
        Listeners listeners = listeners(stuck::add, events);
        for (int i = 0; i < 120_000; i++) {
            listeners.tell(listener ->
                    listener.renewed(new KeyholdListener.Renewal(1, 0, 0, Duration.ZERO, Optional.empty())));
        }
        assertThat(stuck).hasSize(1);
        Queue<Runnable> tasks = new ArrayDeque<>(stuck);
        stuck.clear();
        while (!tasks.isEmpty()) {
            tasks.remove().run();
            tasks.addAll(stuck);
            stuck.clear();
        }
        assertThat(events.renewals().size()).isEqualTo(100_000);
    }

    @Test
    void throwingListenerGetsNextEvent() {
        List<String> heard = new ArrayList<>();
        KeyholdListener throwing = new KeyholdListener() {
            @Override
            public void requested(Request request) {
                heard.add("requested");
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void granted(Granted event) {
                heard.add("granted");
                throw new AssertionError("on purpose");
            }

            @Override
            public void ended(Ended event) {
                heard.add("ended");
                Undeclared.ioException();
            }
        };
        Listeners listeners = listeners(Runnable::run, throwing, events);
        RequestEvents request = request(listeners);
        grant(request);
        end(request);
        assertThat(heard).containsExactly("requested", "granted", "ended");
        assertThat(events.told()).containsExactly("1 requested", "1 granted FREE", "1 ended RELEASED");
        grant(request(listeners));
        assertThat(heard).endsWith("requested", "granted");
        assertThat(events.told()).endsWith("2 requested", "2 granted FREE");
    }

    @Test
    void rejectedEventsAreDroppedAndLaterOnesArrive() {
        AtomicBoolean rejecting = new AtomicBoolean(true);
        Executor executor = task -> {
            if (rejecting.get()) {
                throw new RejectedExecutionException("on purpose");
            }
            task.run();
        };
        RequestEvents request = request(listeners(executor, events));
        grant(request);
        rejecting.set(false);
        end(request);
        assertThat(events.told()).containsExactly("1 requested", "1 ended RELEASED");
    }

    @Test
    void endAndGrantOfTwoThreadsComeInOrder() throws Exception {
        Listeners listeners = listeners(Runnable::run, events);
        for (int i = 0; i < ROUNDS; i++) {
            RequestEvents request = request(listeners);
            together(() -> grant(request), () -> end(request));
        }
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(events.told().subList(3 * i, 3 * i + 3))
                    .containsExactly(i + 1 + " requested", i + 1 + " granted FREE", i + 1 + " ended RELEASED");
        }
    }

    @Test
    void twoOutcomesOfTwoThreadsAreOne() throws Exception {
        Listeners listeners = listeners(Runnable::run, events);
        for (int i = 0; i < ROUNDS; i++) {
            RequestEvents request = request(listeners);
            together(() -> grant(request), () -> request.notGranted(1, NotGranted.Outcome.CANCELLED, Optional.empty()));
        }
        assertThat(events.told()).hasSize(2 * ROUNDS);
    }

    @Test
    void twoEndsOfTwoThreadsAreOne() throws Exception {
        Listeners listeners = listeners(Runnable::run, events);
        for (int i = 0; i < ROUNDS; i++) {
            RequestEvents request = request(listeners);
            grant(request);
            together(() -> end(request), () -> end(request));
        }
        assertThat(events.told()).hasSize(3 * ROUNDS);
    }

    private static void together(Runnable one, Runnable two) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            await(start);
            two.run();
        });
        await(start);
        one.run();
        other.get(60, TimeUnit.SECONDS);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Listeners listeners(Executor executor, KeyholdListener... listeners) {
        return Objects.requireNonNull(
                Listeners.of(new Listeners.Setup("", List.of(listeners)), new Callbacks(executor), new ManualTime()));
    }

    private static RequestEvents request(Listeners listeners) {
        return listeners.requested(new Claim.Lock("a"), Optional.empty());
    }

    private static void grant(RequestEvents request) {
        request.granted(1, Granted.Path.FREE, 1, "token");
    }

    private static void end(RequestEvents request) {
        request.ended(0, Ended.End.RELEASED, Optional.empty(), 1, "token");
    }
}
