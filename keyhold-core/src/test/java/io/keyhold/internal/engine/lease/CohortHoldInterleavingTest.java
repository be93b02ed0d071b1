package io.keyhold.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.internal.engine.Interleavings;
import io.keyhold.internal.time.ClockReading;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explored: one thread reads a token while another passes it on, in every order of their steps. A token that was given out
 * is never handed over, and one that was handed over is never returned to the user.
 */
@Tag("full")
class CohortHoldInterleavingTest {

    private static final int SCHEDULES = 200;

    @Test
    void tokenIsReadOrHandedOver() {
        Interleavings.checkAgainst(OneThread.class, SCHEDULES, readMeetsPass(Real.class), passMeetsPass());
    }

    /** Shows that the test above can fail. */
    @Test
    void checkThenActInCohortHoldIsFound() {
        assertThatThrownBy(
                        () -> Interleavings.checkAgainst(OneThread.class, SCHEDULES, readMeetsPass(LooksFirst.class)))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static Interleavings readMeetsPass(Class<?> subject) {
        return Interleavings.of(subject)
                .oneThread("read")
                .oneThread("isPassed")
                .otherThread("pass")
                .otherThread("read")
                .after("pass")
                .after("isPassed");
    }

    private static Interleavings passMeetsPass() {
        return Interleavings.of(Real.class)
                .oneThread("pass")
                .otherThread("pass")
                .after("read")
                .after("isPassed");
    }

    /** The token of one hold. */
    public static class Real {
        private final CohortHold hold = new CohortHold("token", 1, 0, new ClockReading(0, 0));

        public boolean read() {
            return hold.readToken().equals("token");
        }

        public boolean pass() {
            return hold.pass().isPresent();
        }

        public boolean isPassed() {
            return hold.isPassed();
        }
    }

    /** A wrong implementation. */
    public static class LooksFirst {
        private volatile boolean read;
        private volatile boolean passed;

        public boolean read() {
            if (passed) {
                return false;
            }
            read = true;
            return true;
        }

        public boolean pass() {
            if (read || passed) {
                return false;
            }
            passed = true;
            return true;
        }

        public boolean isPassed() {
            return passed;
        }
    }

    /** The specification, for one thread. */
    public static class OneThread {
        private String use = "none";

        public boolean read() {
            if (use.equals("none")) {
                use = "read";
            }
            return use.equals("read");
        }

        public boolean pass() {
            if (!use.equals("none")) {
                return false;
            }
            use = "passed";
            return true;
        }

        public boolean isPassed() {
            return use.equals("passed");
        }
    }
}
