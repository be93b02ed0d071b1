package io.keyhold.internal.engine.acquire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.internal.engine.Interleavings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explored: two threads at one local queue, where each enters, leaves, or ends while the other does something else. The results
 * are those of one order of the calls: no request is promoted twice or forgotten, and there is one head at a time.
 */
@Tag("full")
class LocalQueuesInterleavingTest {

    private static final int SCHEDULES = 60;

    @Test
    void localQueueIsLinearizable() {
        Interleavings.checkAgainst(
                OneThread.class,
                SCHEDULES,
                theOneAheadIsDoneWhileAnotherComes(),
                theOneAheadIsDoneWhileTheNextGoesAway(),
                twoComeToAnOpenGate(),
                twoAreDone(Real.class));
    }

    /** Shows that the test above can fail. */
    @Test
    void checkThenActInLocalQueueIsFound() {
        assertThatThrownBy(() -> Interleavings.checkAgainst(OneThread.class, SCHEDULES, twoAreDone(LooksFirst.class)))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static Interleavings theOneAheadIsDoneWhileAnotherComes() {
        return Interleavings.of(Real.class)
                .before("enter", 1)
                .oneThread("next")
                .oneThread("enter", 1)
                .otherThread("enter", 2)
                .otherThread("head")
                .after("next")
                .after("next");
    }

    private static Interleavings theOneAheadIsDoneWhileTheNextGoesAway() {
        return Interleavings.of(Real.class)
                .before("enter", 1)
                .before("enter", 2)
                .before("enter", 3)
                .oneThread("next")
                .oneThread("head")
                .otherThread("leave", 2)
                .otherThread("enter", 4)
                .after("next")
                .after("next")
                .after("head");
    }

    private static Interleavings twoComeToAnOpenGate() {
        return Interleavings.of(Real.class)
                .oneThread("enter", 1)
                .oneThread("next")
                .otherThread("enter", 2)
                .otherThread("leave", 2)
                .after("head")
                .after("next")
                .after("next");
    }

    private static Interleavings twoAreDone(Class<?> subject) {
        return Interleavings.of(subject)
                .before("enter", 1)
                .before("enter", 2)
                .before("enter", 3)
                .oneThread("next")
                .oneThread("head")
                .otherThread("next")
                .after("head")
                .after("next");
    }

    /** One local queue. 0 is no request. */
    public static class Real {
        private final LocalQueues<Integer, Integer> queues = new LocalQueues<>(waiter -> false);

        public boolean enter(int who) {
            return queues.enter("key", who);
        }

        public void leave(int who) {
            queues.leave("key", who);
        }

        public int next() {
            return queues.next("key").orElse(0);
        }

        public int head() {
            return queues.head("key").orElse(0);
        }
    }

    /** The same with a wrong {@code next}. The first of a queue is the head. */
    public static class LooksFirst {
        private final Map<String, ConcurrentLinkedDeque<Integer>> queues = new ConcurrentHashMap<>();

        public boolean enter(int who) {
            ConcurrentLinkedDeque<Integer> waiting =
                    queues.computeIfAbsent("key", absent -> new ConcurrentLinkedDeque<>());
            waiting.add(who);
            return waiting.size() == 1;
        }

        public int next() {
            ConcurrentLinkedDeque<Integer> waiting = queues.getOrDefault("key", new ConcurrentLinkedDeque<>());
            Integer done = waiting.peek();
            if (done != null) {
                waiting.remove(done);
            }
            return head();
        }

        public int head() {
            return queues.getOrDefault("key", new ConcurrentLinkedDeque<>()).stream()
                    .findFirst()
                    .orElse(0);
        }
    }

    /** The specification, for one thread. The first of the queue is the head. */
    public static class OneThread {
        private final List<Integer> waiting = new ArrayList<>();

        public boolean enter(int who) {
            waiting.add(who);
            return waiting.size() == 1;
        }

        public void leave(int who) {
            int place = waiting.lastIndexOf(who);
            if (place > 0) {
                waiting.remove(place);
            }
        }

        public int next() {
            if (!waiting.isEmpty()) {
                waiting.remove(0);
            }
            return head();
        }

        public int head() {
            return waiting.isEmpty() ? 0 : waiting.get(0);
        }
    }
}
