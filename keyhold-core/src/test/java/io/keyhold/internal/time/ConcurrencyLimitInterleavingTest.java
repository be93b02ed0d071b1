package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.internal.engine.Interleavings;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explored: operations come from two threads while another of them ends, with one allowed at a time. No two are in flight
 * at the same time, none is forgotten, and they start in order.
 */
@Tag("full")
class ConcurrencyLimitInterleavingTest {

    private static final int SCHEDULES = 300;

    @Test
    void operationsAreLimited() {
        Interleavings.checkAgainst(OneThread.class, SCHEDULES, together(Real.class), oneEndsWhileOthersCome());
    }

    private static Interleavings oneEndsWhileOthersCome() {
        return Interleavings.of(Real.class)
                .before("submit", 1)
                .oneThread("end")
                .otherThread("submit", 2)
                .otherThread("submit", 3)
                .after("end")
                .after("end")
                .after("end")
                .after("mostAtATime");
    }

    /** Shows that the test above can fail. */
    @Test
    void checkThenActInLimitIsFound() {
        assertThatThrownBy(() -> Interleavings.checkAgainst(OneThread.class, SCHEDULES, together(CountsFirst.class)))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static Interleavings together(Class<?> subject) {
        return Interleavings.of(subject)
                .oneThread("submit", 1)
                .otherThread("submit", 2)
                .after("end")
                .after("end")
                .after("end")
                .after("mostAtATime");
    }

    /** The operations in flight, and those before. */
    private static final class InFlight {
        private final Queue<Integer> names = new ConcurrentLinkedQueue<>();
        private final Queue<CompletableFuture<Integer>> operations = new ConcurrentLinkedQueue<>();
        private final AtomicInteger mostAtATime = new AtomicInteger();

        CompletionStage<Integer> start(int name) {
            CompletableFuture<Integer> operation = new CompletableFuture<>();
            names.add(name);
            operations.add(operation);
            mostAtATime.accumulateAndGet(operations.size(), Math::max);
            return operation;
        }

        /** Ends the first and returns it; 0 if there is none. */
        int end() {
            Integer name = names.poll();
            if (name == null) {
                return 0;
            }
            operations.remove().complete(name);
            return name;
        }
    }

    /** A limit and its operations. */
    public static class Real {
        private final ConcurrencyLimit limit = new ConcurrencyLimit(1);
        private final InFlight inFlight = new InFlight();

        public void submit(int name) {
            limit.submit(() -> inFlight.start(name));
        }

        public int end() {
            return inFlight.end();
        }

        public int mostAtATime() {
            return inFlight.mostAtATime.get();
        }
    }

    /** A wrong implementation. */
    public static class CountsFirst {
        private final Queue<Supplier<CompletionStage<Integer>>> ready = new ConcurrentLinkedQueue<>();
        private final AtomicInteger count = new AtomicInteger();
        private final InFlight inFlight = new InFlight();

        public void submit(int name) {
            ready.add(() -> inFlight.start(name));
            startOne();
        }

        private void startOne() {
            if (count.get() < 1) {
                Supplier<CompletionStage<Integer>> next = ready.poll();
                if (next != null) {
                    count.incrementAndGet();
                    next.get().thenRun(() -> {
                        count.decrementAndGet();
                        startOne();
                    });
                }
            }
        }

        public int end() {
            return inFlight.end();
        }

        public int mostAtATime() {
            return inFlight.mostAtATime.get();
        }
    }

    /** The specification, for one thread. */
    public static class OneThread {
        private final Queue<Integer> line = new ArrayDeque<>();

        public void submit(int name) {
            line.add(name);
        }

        public int end() {
            Integer name = line.poll();
            return name == null ? 0 : name;
        }

        public int mostAtATime() {
            return 1;
        }
    }
}
