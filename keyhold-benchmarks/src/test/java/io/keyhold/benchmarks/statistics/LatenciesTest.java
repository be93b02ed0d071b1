package io.keyhold.benchmarks.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {
    private final Latencies latencies = new Latencies();

    @Test
    void survivesTransferBetweenProcesses() {
        Latencies other = new Latencies();
        latencies.record(10);
        other.record(5_000_000_000L);
        other.record(20);
        latencies.add(other);
        Latencies copy = Latencies.decode(latencies.encode());
        assertThat(latencies.encode()).matches("\\S+");
        assertThat(copy.encode()).isEqualTo(latencies.encode());
        assertThat(copy.count()).isEqualTo(3);
        assertThat(copy.percentile(50)).isEqualTo(20);
        assertThat(copy.percentile(100)).isBetween(5_000_000_000L, 5_005_000_000L);
    }

    @Test
    void emptyLatenciesSurviveTransfer() {
        assertThat(Latencies.decode(latencies.encode()).count()).isZero();
    }

    @Test
    void negativeValueCountsAsZero() {
        latencies.record(-5);
        assertThat(latencies.count()).isEqualTo(1);
        assertThat(latencies.percentile(100)).isZero();
    }
}
