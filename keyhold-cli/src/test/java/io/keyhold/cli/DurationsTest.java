package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {

    @Test
    void parsesEveryUnit() {
        assertThat(Durations.parse("0s")).isZero();
        assertThat(Durations.parse("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.parse("2s")).isEqualTo(Duration.ofSeconds(2));
        assertThat(Durations.parse("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(Durations.parse("36h")).isEqualTo(Duration.ofHours(36));
        assertThat(Durations.parse("1d")).isEqualTo(Duration.ofDays(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "s", "-1s", "1.5s", "1 s", "1S", "5min", "99999999999999999999s", "9223372036854775807d"
            })
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a duration must be")
                .hasMessageEndingWith("was '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "1ms", "1500ms", "59s", "90s", "1m", "90m", "1h", "25h", "1d", "31d"})
    void formatIsTheInverse(String text) {
        assertThat(Durations.text(Durations.parse(text))).isEqualTo(text);
    }
}
