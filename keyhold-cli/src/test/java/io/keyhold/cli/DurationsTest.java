package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class DurationsTest {

    @Test
    void parsesEveryUnit() {
        assertThat(new Durations().convert("0s")).isZero();
        assertThat(new Durations().convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(new Durations().convert("2s")).isEqualTo(Duration.ofSeconds(2));
        assertThat(new Durations().convert("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(new Durations().convert("36h")).isEqualTo(Duration.ofHours(36));
        assertThat(new Durations().convert("1d")).isEqualTo(Duration.ofDays(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "s", "-1s", "1.5s", "1 s", "1S", "5min", "99999999999999999999s", "9223372036854775807d"
            })
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> new Durations().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageStartingWith("a duration must be")
                .hasMessageEndingWith("was '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "1ms", "1500ms", "59s", "90s", "1m", "90m", "1h", "25h", "1d", "31d"})
    void formatIsTheInverse(String text) {
        assertThat(Durations.text(new Durations().convert(text))).isEqualTo(text);
    }
}
