package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.internal.engine.Interleavings;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explored: two threads submit tasks to one executor, in every interleaving. No two tasks run at the same time, none is lost, and
 * they run in order.
 */
@Tag("full")
class SerialExecutorInterleavingTest {

    private static final int SCHEDULES = 300;

    @Test
    void tasksRunOneAtATimeInOrder() {
        Interleavings.checkAgainst(OneThread.class, SCHEDULES, scenario(Real.class));
    }

    /** Shows that the test above can fail. */
    @Test
    void checkThenActInExecutorIsFound() {
        assertThatThrownBy(() -> Interleavings.checkAgainst(OneThread.class, SCHEDULES, scenario(LooksFirst.class)))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static Interleavings scenario(Class<?> subject) {
        return Interleavings.of(subject)
                .oneThread("run", 1)
                .oneThread("run", 2)
                .otherThread("run", 3)
                .after("ran")
                .after("mostAtATime");
    }

    /** What steps do that are neither guarded nor atomic: that is what the queue is for. */
    private static final class Steps {
        private final List<Integer> ran = new ArrayList<>();
        private int running;
        private int mostAtATime;

        void run(int step) {
            running++;
            mostAtATime = Math.max(mostAtATime, running);
            ran.add(step);
            running--;
        }
    }

    /** A queue and what its steps have done. */
    public static class Real {
        private final SerialExecutor queue = new SerialExecutor();
        private final Steps steps = new Steps();

        public void run(int step) {
            queue.run(() -> steps.run(step));
        }

        public List<Integer> ran() {
            return steps.ran;
        }

        public int mostAtATime() {
            return steps.mostAtATime;
        }
    }

    /** A wrong implementation. */
    public static class LooksFirst {
        private final Queue<Integer> waiting = new ConcurrentLinkedQueue<>();
        private final Steps steps = new Steps();
        private volatile boolean busy;

        public void run(int step) {
            waiting.add(step);
            if (!busy) {
                busy = true;
                for (Integer next = waiting.poll(); next != null; next = waiting.poll()) {
                    steps.run(next);
                }
                busy = false;
            }
        }

        public List<Integer> ran() {
            return steps.ran;
        }

        public int mostAtATime() {
            return steps.mostAtATime;
        }
    }

    /** The specification, for one thread. */
    public static class OneThread {
        private final List<Integer> ran = new ArrayList<>();

        public void run(int step) {
            ran.add(step);
        }

        public List<Integer> ran() {
            return ran;
        }

        public int mostAtATime() {
            return 1;
        }
    }
}
