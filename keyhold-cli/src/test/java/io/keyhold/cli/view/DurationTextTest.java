package io.keyhold.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "-5, 0ms",
        "350, 350ms",
        "3299, 3.2s",
        "42999, 42s",
        "245000, 4m05s",
        "11220000, 3h07m",
        "187200000, 2d04h"
    })
    void formatsWithTwoUnitsAtMost(long millis, String text) {
        assertThat(DurationText.of(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
