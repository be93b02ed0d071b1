package io.keyhold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which failures count. */
class StallWatchTest {

    private final AtomicInteger attempts = new AtomicInteger();

    @Test
    void failureWithoutStallCounts() {
        assertThatThrownBy(() -> StallWatch.undisturbed(since -> false, this::fail))
                .hasMessage("attempt 1");
    }

    @Test
    void failureDuringStallIsTriedAgain() {
        assertThatThrownBy(() -> StallWatch.undisturbed(since -> attempts.get() < 3, this::fail))
                .hasMessage("attempt 3");
    }

    @Test
    void machineThatAlwaysStallsEndsTheAttempts() {
        assertThatThrownBy(() -> StallWatch.undisturbed(since -> true, this::fail))
                .hasMessage("attempt 10");
    }

    @Test
    void successDuringStallCounts() {
        assertThatCode(() -> StallWatch.undisturbed(since -> true, attempts::incrementAndGet))
                .doesNotThrowAnyException();
        assertThat(attempts).hasValue(1);
    }

    private void fail() throws IOException {
        throw new IOException("attempt " + attempts.incrementAndGet());
    }
}
