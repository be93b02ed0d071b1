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
 * Explored: two threads at one gate, where each comes, goes away, or is done while the other does something else. Whatever
 * they are told is what they would be told one after the other: nobody is called twice or forgotten, and nobody goes
 * ahead while another is.
 */
@Tag("full")
class LocalQueuesInterleavingTest {

    private static final int SCHEDULES = 60;

    @Test
    void whatThreadsAreToldAtAGateHasAnOrder() {
        Interleavings.checkAgainst(
                OneThread.class,
                SCHEDULES,
                theOneAheadIsDoneWhileAnotherComes(),
                theOneAheadIsDoneWhileTheNextGoesAway(),
                twoComeToAnOpenGate(),
                twoAreDone(Real.class));
    }

    /** So that the test above is known to be able to fail. */
    @Test
    void aCallThatLooksFirstAndTakesThenIsFound() {
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

    /** One gate. 0 is nobody. */
    public static class Real {
        private final LocalQueues<Integer, Integer> queues = new LocalQueues<>(waiter -> false);

        public boolean enter(int who) {
            return queues.enter("gate", who);
        }

        public void leave(int who) {
            queues.leave("gate", who);
        }

        public int next() {
            return queues.next("gate").orElse(0);
        }

        public int head() {
            return queues.head("gate").orElse(0);
        }
    }

    /** The same with {@code next} as it must not be. The first of a line is ahead. */
    public static class LooksFirst {
        private final Map<String, ConcurrentLinkedDeque<Integer>> queues = new ConcurrentHashMap<>();

        public boolean enter(int who) {
            ConcurrentLinkedDeque<Integer> line =
                    queues.computeIfAbsent("gate", absent -> new ConcurrentLinkedDeque<>());
            line.add(who);
            return line.size() == 1;
        }

        public int next() {
            ConcurrentLinkedDeque<Integer> line = queues.getOrDefault("gate", new ConcurrentLinkedDeque<>());
            Integer done = line.peek();
            if (done != null) {
                line.remove(done);
            }
            return head();
        }

        public int head() {
            return queues.getOrDefault("gate", new ConcurrentLinkedDeque<>()).stream()
                    .findFirst()
                    .orElse(0);
        }
    }

    /** What it means, without a thought of threads. The first of the line is ahead. */
    public static class OneThread {
        private final List<Integer> line = new ArrayList<>();

        public boolean enter(int who) {
            line.add(who);
            return line.size() == 1;
        }

        public void leave(int who) {
            int place = line.lastIndexOf(who);
            if (place > 0) {
                line.remove(place);
            }
        }

        public int next() {
            if (!line.isEmpty()) {
                line.remove(0);
            }
            return head();
        }

        public int head() {
            return line.isEmpty() ? 0 : line.get(0);
        }
    }
}
