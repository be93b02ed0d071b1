package io.keyhold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream output = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void pipeGetsPlainLines() {
        Progress progress = new Progress(output, false, 100, nanos::get);
        progress.step("one");
        progress.step("two");
        assertThat(text().lines())
                .containsExactly(
                        "░".repeat(24) + "   0 %   1:40 left  one", "░".repeat(24) + "   0 %   1:40 left  two");
    }

    @Test
    void terminalGetsOneLine() {
        Progress progress = new Progress(output, true, 100, nanos::get);
        progress.step("one");
        progress.step("two");
        assertThat(text()).doesNotContain("\n").contains("one\r\u001b[K");
    }

    /** The first half took twice as long as planned, so the second half will. */
    @Test
    void timeLeftFollowsTimeTaken() {
        Progress progress = new Progress(output, false, 100, nanos::get);
        progress.done(50);
        nanos.set(100_000_000_000L);
        progress.step("half");
        assertThat(text())
                .isEqualTo("█".repeat(12) + "░".repeat(12) + "  50 %   1:40 left  half" + System.lineSeparator());
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
