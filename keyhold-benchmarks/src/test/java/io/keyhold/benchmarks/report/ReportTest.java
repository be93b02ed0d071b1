package io.keyhold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Footprint;
import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.shape.Part;
import io.keyhold.benchmarks.shape.Shapes;
import io.keyhold.benchmarks.statistics.Latencies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private final ShapeResult result = new ShapeResult(
            Shapes.of("one-key-4x3"),
            new EnumMap<>(Map.of(
                    Contender.RAW_JEDIS, Samples.figures(6, 1000, 4000, 2000),
                    Contender.KEYHOLD_JEDIS, Samples.figures(0.25, 50_000),
                    Contender.REDISSON, Samples.figures(27.123, 250))),
            Map.of(Contender.SPRING_SPIN, "it failed"));

    @Test
    void markdown() {
        assertThat(new MarkdownReport(Samples.report(result)).text()).startsWith("""
                # Keyhold benchmark

                ## one-key-4x3: One key, 4 threads in each of 3 JVMs

                All threads compete for one lock, all the time. Latency is the wait for it.

                | contender | holds/s | to Jedis floor | to Redisson | p50 | p90 | p99 | max | commands per hold | holds per thread | exclusion |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                | SET NX + script, Jedis | 2,000 | 1× | 8× | 500 µs | 1.00 ms | 1.00 ms | 1.00 ms | 6 | 10–20 | kept |
                | Keyhold, Jedis | 50,000 | 25× | 200× | 20.0 µs | 20.0 µs | 20.0 µs | 20.0 µs | 0.25 | 10–20 | kept |
                | Redisson RLock | 250 | 0.13× | 1× | 4.00 ms | 4.00 ms | 4.00 ms | 4.00 ms | 27.1 | 10–20 | kept |

                - Spring Integration, spin: not measured, it failed

                ## Goals

                | goal | measured | verdict |
                |---|---:|---|
                | own-1: Keyhold, Jedis at least 0.75× SET NX + script, Jedis |  | not measured |
                """);
    }

    @Test
    void bothFilesAreWritten(@TempDir Path directory) throws Exception {
        Samples.report(result).write(directory.resolve("new"));
        assertThat(Files.readString(directory.resolve("new/results.md"))).contains("| Cores | 2 |");
        assertThat(Files.readString(directory.resolve("new/results.json")))
                .contains("\"redisson\": [{\"value\": 250.0, \"commandsPerHold\": 27.123, \"p50Nanos\": 4001791,");
    }

    @Test
    void holdersShapeHasColumnForEachNumberOfHolders() {
        Figures figures = new Figures();
        Map<Integer, Part> parts =
                Map.of(100, new Part(4000, new Latencies()), 100_000, new Part(3000, new Latencies()));
        figures.add(new Measurement(0.75, 20, 0, 0, 0, new Latencies(), parts, Optional.empty()));
        Report report = Samples.report(Samples.result("holders-100000", Map.of(Contender.KEYHOLD_JEDIS, figures)));
        assertThat(new MarkdownReport(report).text()).contains("""
                | contender | rate kept | holds/s with 100 | holds/s with 100,000 | p50 | p99 | commands per hold |
                |---|---:|---:|---:|---:|---:|---:|
                | Keyhold, Jedis | 0.75× | 4,000 | 3,000 | – | – | 20 |
                """);
        assertThat(JsonReport.of(report))
                .contains(
                        "\"parts\": {\"100\": {\"holdsPerSecond\": 4000.0}, \"100000\": {\"holdsPerSecond\": 3000.0}}");
    }

    @Test
    void stoppedServerShapeComparesBothTimes() {
        Latencies stopped = new Latencies();
        stopped.record(2_000_000);
        Latencies up = new Latencies();
        up.record(1_000_000);
        Figures figures = new Figures();
        Map<Integer, Part> parts = Map.of(0, new Part(1000, up), 1, new Part(500, stopped));
        figures.add(new Measurement(2, 60, 0, 0, 0, stopped, parts, Optional.empty()));
        Report report = Samples.report(Samples.result("quorum-one-stopped", Map.of(Contender.KEYHOLD_JEDIS, figures)));
        assertThat(new MarkdownReport(report).text()).contains("""
                | contender | one stopped to all up | holds/s, all up | holds/s, one stopped | p50, all up | p50, one stopped | p99, all up | p99, one stopped | commands per hold, one stopped | exclusion |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                | Keyhold, Jedis | 2× | 1,000 | 500 | 1.00 ms | 2.00 ms | 1.00 ms | 2.00 ms | 60 | kept |
                """);
    }

    @Test
    void violationIsReported() {
        Figures broken = new Figures();
        broken.add(new Measurement(1, 1, 1, 1, 3, new Latencies()));
        Report report = Samples.report(Samples.result("one-key-8", Map.of(Contender.SPRING_SPIN, broken)));
        assertThat(report.faults()).isEqualTo(3);
        assertThat(new MarkdownReport(report).text()).contains("| VIOLATED 3× |");
    }

    @Test
    void contenderWithoutHoldHasNoPercentiles() {
        Figures starved = new Figures();
        starved.add(new Measurement(0, Double.NaN, 0, 0, 0, new Latencies()));
        Report report = Samples.report(Samples.result(
                "waiters-200", Map.of(Contender.REDISSON, starved, Contender.KEYHOLD_JEDIS, Samples.figures(1, 1000))));
        assertThat(new MarkdownReport(report).text())
                .contains("| Redisson RLock | 0 | – | – | – | – | – | – | – | 0–0 | kept |");
    }

    @Test
    void renewalShapeShowsFootprint() {
        Figures figures = new Figures();
        Footprint footprint = new Footprint(0.041, 1234.4);
        figures.add(new Measurement(900, 0.3, 0, 0, 0, new Latencies(), Map.of(), Optional.of(footprint)));
        Report report = Samples.report(Samples.result("renewal-100000", Map.of(Contender.KEYHOLD_JEDIS, figures)));
        assertThat(new MarkdownReport(report).text())
                .contains("| Keyhold, Jedis | 900 | – | 0.30 | 4.10 % | 1,234 B | 0 |");
        assertThat(JsonReport.of(report)).contains("\"cores\": 0.041, \"heapBytesPerLease\": 1234.4");
    }

    @Test
    void jsonIsEscaped() {
        assertThat(JsonWriter.of(List.of("a\n\"", Double.NaN, 3L))).isEqualTo("[\"a\\u000a\\\"\", null, 3]");
    }

    @Test
    void environmentIsComplete() {
        assertThat(Environment.current("Redis 7", "-Xmx1m", new StolenTime()).facts())
                .containsEntry("Server", "Redis 7")
                .containsKeys("Processor", "Redisson", "Spring Integration")
                .allSatisfy((name, value) -> assertThat(value).isNotBlank().doesNotContain("${"));
    }

    @Test
    void stolenTimeIsShareSinceStart(@TempDir Path folder) throws IOException {
        Path statistics = Files.writeString(folder.resolve("stat"), "cpu  100 0 50 800 0 0 0 50 7 7\ncpu0 1 1 1 1\n");
        StolenTime stolen = new StolenTime(statistics);
        assertThat(stolen.share()).isEqualTo("unknown");
        Files.writeString(statistics, "cpu  200 0 100 1625 0 0 0 75 99 99\n");
        assertThat(stolen.share()).isEqualTo("2.5 %");
        assertThat(new StolenTime(folder.resolve("missing")).share()).isEqualTo("unknown");
    }
}
