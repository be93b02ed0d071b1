package io.keyhold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void linearFromZeroWhenValuesAreNear() {
        Scale scale = Scale.fitting(List.of(1000.0, 4000.0));
        assertThat(scale.isLogarithmic()).isFalse();
        assertThat(scale.position(1000)).isEqualTo(0.25);
        assertThat(scale.ticks()).containsExactly(0.0, 1000.0, 2000.0, 3000.0, 4000.0);
    }

    @Test
    void logarithmicWhenValuesAreFarApart() {
        Scale scale = Scale.fitting(List.of(20.0, 10_000.0));
        assertThat(scale.isLogarithmic()).isTrue();
        assertThat(scale.ticks()).containsExactly(10.0, 100.0, 1000.0, 10_000.0);
        assertThat(scale.position(100)).isCloseTo(1.0 / 3, within(1e-9));
        assertThat(scale.position(10_000)).isEqualTo(1);
    }

    @Test
    void nothingLeavesTheAxis() {
        assertThat(Scale.fitting(List.of(20.0, 10_000.0)).position(0)).isZero();
        assertThat(Scale.fitting(List.of()).position(5)).isEqualTo(1);
    }
}
