package io.keyhold.benchmarks.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {
    @Test
    void oddNumberHasMiddle() {
        assertThat(Median.of(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
    }

    @Test
    void evenNumberTakesMeanOfTwo() {
        assertThat(Median.of(List.of(100.0, 1.0, 3.0, 4.0))).isEqualTo(3.5);
    }

    @Test
    void needsAValue() {
        assertThatIllegalArgumentException().isThrownBy(() -> Median.of(List.of()));
    }
}
