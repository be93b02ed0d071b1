package io.keyhold.internal.engine.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.internal.engine.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private final ManualTime time = new ManualTime();

    /** What is left of another wait may have ended just before this one begins. */
    @Test
    void deadlineInThePastIsOver() {
        WaitPlan.Deadline deadline = new WaitPlan.Deadline(WaitPlan.NONE.within(Duration.ofMillis(-5)), time);
        assertThat(deadline.isOver()).isTrue();
        time.pass(Duration.ofMillis(7));
        assertThat(deadline.isOver()).isTrue();
        assertThat(deadline.leftNanos()).isNegative();
    }
}
