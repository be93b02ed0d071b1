package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RunTimesTest {

    @Test
    void defaultsLeaveTimeToStopTheCommand() {
        RunTimes times = RunTimes.of(null, null);
        assertThat(times).isEqualTo(new RunTimes(Duration.ofSeconds(30), Duration.ofSeconds(5)));
        assertThat(times.work(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(24));
        assertThat(times.work(Duration.ofSeconds(3))).isZero();
    }

    @Test
    void graceIsAtMostAThirdOfTheLease() {
        assertThat(RunTimes.of(Duration.ofSeconds(3), null).grace()).isEqualTo(Duration.ofSeconds(1));
        assertThat(RunTimes.of(Duration.ofSeconds(3), Duration.ofSeconds(1)).grace())
                .isEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(() -> RunTimes.of(Duration.ofSeconds(3), Duration.ofMillis(1_001)))
                .isInstanceOf(CliException.class)
                .hasMessageContainingAll("--kill-grace must be at most a third of the lease of 3s", "was 1001ms");
    }

    @Test
    void tooShortLeaseIsRefused() {
        assertThat(RunTimes.of(Duration.ofSeconds(1), null).grace()).isPositive();
        assertThatThrownBy(() -> RunTimes.of(Duration.ofMillis(999), null))
                .isInstanceOf(CliException.class)
                .hasMessageContainingAll("--lease must be at least 1s, was 999ms");
    }

    @Test
    void formatsSecondsForAShell() {
        assertThat(RunTimes.seconds(Duration.ofMillis(23_045))).isEqualTo("23.045");
        assertThat(RunTimes.seconds(Duration.ofMillis(7))).isEqualTo("0.007");
        assertThat(RunTimes.seconds(Duration.ZERO)).isEqualTo("0.000");
    }
}
