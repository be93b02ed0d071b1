package io.keyhold.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.internal.engine.Interleavings;
import io.keyhold.internal.time.ClockReading;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explored: one thread reads a token while another hands it over, in every order of their steps. A token that was given out
 * is never handed over, and one that was handed over is never returned to the user.
 */
@Tag("full")
class CohortHoldInterleavingTest {

    private static final int SCHEDULES = 200;

    @Test
    void tokenIsReadOrHandedOver() {
        Interleavings.checkAgainst(OneThread.class, SCHEDULES, readMeetsHandOver(Real.class), handOverMeetsHandOver());
    }

    /** Shows that the test above can fail. */
    @Test
    void checkThenActInCohortHoldIsFound() {
        assertThatThrownBy(() ->
                        Interleavings.checkAgainst(OneThread.class, SCHEDULES, readMeetsHandOver(LooksFirst.class)))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static Interleavings readMeetsHandOver(Class<?> subject) {
        return Interleavings.of(subject)
                .oneThread("read")
                .oneThread("isHandedOver")
                .otherThread("handOver")
                .otherThread("read")
                .after("handOver")
                .after("isHandedOver");
    }

    private static Interleavings handOverMeetsHandOver() {
        return Interleavings.of(Real.class)
                .oneThread("handOver")
                .otherThread("handOver")
                .after("read")
                .after("isHandedOver");
    }

    /** The token of one hold. */
    public static class Real {
        private final CohortHold hold = new CohortHold("token", 1, 0, new ClockReading(0, 0));

        public boolean read() {
            return hold.readToken().equals("token");
        }

        public boolean handOver() {
            return hold.handOver().isPresent();
        }

        public boolean isHandedOver() {
            return hold.isHandedOver();
        }
    }

    /** A wrong implementation. */
    public static class LooksFirst {
        private volatile boolean read;
        private volatile boolean handedOver;

        public boolean read() {
            if (handedOver) {
                return false;
            }
            read = true;
            return true;
        }

        public boolean handOver() {
            if (read || handedOver) {
                return false;
            }
            handedOver = true;
            return true;
        }

        public boolean isHandedOver() {
            return handedOver;
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

        public boolean handOver() {
            if (!use.equals("none")) {
                return false;
            }
            use = "handed over";
            return true;
        }

        public boolean isHandedOver() {
            return use.equals("handed over");
        }
    }
}
