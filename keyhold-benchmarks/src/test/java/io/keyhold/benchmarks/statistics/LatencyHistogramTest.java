package io.keyhold.benchmarks.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void smallValuesAreExact() {
        for (int value = 1; value <= 60; value++) {
            histogram.record(value);
        }
        assertThat(histogram.percentile(50)).isEqualTo(30);
        assertThat(histogram.percentile(90)).isEqualTo(54);
        assertThat(histogram.percentile(100)).isEqualTo(60);
    }

    /** Held against the sorted values themselves, over nine orders of magnitude. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 10, 50, 90, 99, 99.9})
    void percentilesAreOffByLessThanOnePerCent(double percent) {
        SplittableRandom random = new SplittableRandom(7);
        long[] values = random.doubles(50_000)
                .mapToLong(exponent -> Math.round(Math.pow(10, 1 + 9 * exponent)))
                .toArray();
        Arrays.stream(values).forEach(histogram::record);
        Arrays.sort(values);
        long exact = values[(int) Math.ceil(values.length * percent / 100) - 1];
        assertThat((double) histogram.percentile(percent)).isCloseTo((double) exact, within(exact * 0.01 + 0.5));
    }

    @Test
    void theLargestIsExact() {
        histogram.record(123_456_789);
        histogram.record(1);
        assertThat(histogram.largest()).isEqualTo(123_456_789);
        assertThat(histogram.percentile(100)).isEqualTo(123_456_789);
    }

    @Test
    void takesTheExtremes() {
        histogram.record(-5);
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.percentile(50)).isZero();
        assertThat(histogram.percentile(100)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void addsAndTravelsAsOneWord() {
        LatencyHistogram other = new LatencyHistogram();
        histogram.record(10);
        other.record(5_000_000);
        other.record(20);
        histogram.add(other);
        LatencyHistogram copy = LatencyHistogram.decode(histogram.encode());
        assertThat(histogram.encode()).doesNotContain(" ");
        assertThat(copy.encode()).isEqualTo(histogram.encode());
        assertThat(copy.total()).isEqualTo(3);
        assertThat(copy.largest()).isEqualTo(5_000_000);
        assertThat(copy.percentile(50)).isEqualTo(20);
    }

    @Test
    void anEmptyOneTravelsToo() {
        assertThat(LatencyHistogram.decode(histogram.encode()).total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 100.1, Double.NaN})
    void refusesAPercentileThatCannotBe(double percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> histogram.percentile(percent))
                .withMessageContaining(Double.toString(percent));
    }
}
