package io.keyhold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.shape.Part;
import io.keyhold.benchmarks.shape.Shapes;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportTest {
    private final ShapeResult result = new ShapeResult(
            Shapes.of("one-key-4x3"),
            new EnumMap<>(Map.of(
                    Entrant.RAW_JEDIS, Samples.figures(6, 1000, 4000, 2000),
                    Entrant.KEYHOLD_JEDIS, Samples.figures(0.25, 50_000),
                    Entrant.REDISSON, Samples.figures(27.123, 250))),
            Map.of(Entrant.SPRING_SPIN, "it <failed>"));

    @Test
    void markdown() {
        assertThat(new MarkdownReport(Samples.report(result)).text()).startsWith("""
                # Keyhold benchmark

                ## one-key-4x3: One key, 4 threads in each of 3 JVMs

                Three processes want the same lock, all the time. Latency is the wait for it.

                | contender | holds/s | to Jedis floor | to Redisson | p50 | p90 | p99 | max | commands per hold | holds per thread | exclusion |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                | SET NX + script, Jedis | 2,000 | 1× | 8× | 502 µs | 1 ms | 1 ms | 1 ms | 6 | 10–20 | kept |
                | Keyhold, Jedis | 50,000 | 25× | 200× | 20 µs | 20 µs | 20 µs | 20 µs | 0.25 | 10–20 | kept |
                | Redisson RLock | 250 | 0.13× | 1× | 4 ms | 4 ms | 4 ms | 4 ms | 27.1 | 10–20 | kept |

                - Spring Integration, spin: left out, it <failed>

                ## Goals

                | goal | measured | verdict |
                |---|---:|---|
                | own-1: Keyhold, Jedis at least 0.85× SET NX + script, Jedis |  | not measured |
                """);
    }

    @Test
    void bothPagesAreWritten(@TempDir Path directory) throws Exception {
        Samples.report(result).write(directory.resolve("new"));
        assertThat(Files.readString(directory.resolve("new/results.md"))).contains("| Cores | 2 |");
        assertThat(Files.readString(directory.resolve("new/results.html")))
                .contains("One key, 4 threads in each of 3 JVMs", "left out, it &lt;failed&gt;")
                .doesNotContain("{{", "}}<", "http://", "https://", "alarm\"", "<failed>");
    }

    @Test
    void chartsAreWellFormed() throws Exception {
        String page = new HtmlReport(Samples.report(result)).text();
        List<String> charts = Pattern.compile("(?s)<svg.*?</svg>")
                .matcher(page)
                .results()
                .map(match -> match.group())
                .toList();
        assertThat(charts).hasSize(2);
        for (String chart : charts) {
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(chart)));
        }
    }

    @Test
    void theRateAmongManyHoldersHasAColumnForEachCrowd() {
        Figures figures = new Figures();
        Map<Integer, Part> parts =
                Map.of(100, new Part(4000, new LatencyHistogram()), 100_000, new Part(3000, new LatencyHistogram()));
        figures.add(new Measurement(0.75, 20, 0, 0, 0, new LatencyHistogram(), parts));
        Report report = Samples.report(Samples.result("holders-100000", Map.of(Entrant.KEYHOLD_JEDIS, figures)));
        assertThat(new MarkdownReport(report).text()).contains("""
                | contender | kept | holds/s among 100 | holds/s among 100,000 | p50 | p99 | commands per hold |
                |---|---:|---:|---:|---:|---:|---:|
                | Keyhold, Jedis | 0.75× | 4,000 | 3,000 | – | – | 20 |
                """);
        assertThat(RawNumbers.json(report))
                .contains(
                        "\"parts\": {\"100\": {\"holdsPerSecond\": 4000.0}, \"100000\": {\"holdsPerSecond\": 3000.0}}");
        assertThat(new HtmlReport(report).text()).contains("longer is better</figcaption>");
    }

    @Test
    void theTimesWithAllUpAndWithOneStoppedStandSideBySide() {
        LatencyHistogram stopped = new LatencyHistogram();
        stopped.record(2_000_000);
        LatencyHistogram up = new LatencyHistogram();
        up.record(1_000_000);
        Figures figures = new Figures();
        Map<Integer, Part> parts = Map.of(0, new Part(1000, up), 1, new Part(500, stopped));
        figures.add(new Measurement(2, 60, 0, 0, 0, stopped, parts));
        Report report = Samples.report(Samples.result("quorum-one-stopped", Map.of(Entrant.KEYHOLD_JEDIS, figures)));
        assertThat(new MarkdownReport(report).text()).contains("""
                | contender | one stopped to all up | holds/s, all up | holds/s, one stopped | p50, all up | p50, one stopped | p99, all up | p99, one stopped | commands per hold, one stopped | exclusion |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                | Keyhold, Jedis | 2× | 1,000 | 500 | 1 ms | 2 ms | 1 ms | 2 ms | 60 | kept |
                """);
        assertThat(new HtmlReport(report).text()).contains("shorter is better</figcaption>");
    }

    @Test
    void aFaultIsShouted() {
        Figures broken = new Figures();
        broken.add(new Measurement(1, 1, 1, 1, 3, new LatencyHistogram()));
        Report report = Samples.report(Samples.result("one-key-8", Map.of(Entrant.SPRING_SPIN, broken)));
        assertThat(report.faults()).isEqualTo(3);
        assertThat(new MarkdownReport(report).text()).contains("| BROKEN 3× |");
        assertThat(new HtmlReport(report).text()).contains("class=\"alarm\"");
    }

    @Test
    void whoNeverHeldTheLockIsShownAsThat() {
        Figures starved = new Figures();
        starved.add(new Measurement(0, Double.NaN, 0, 0, 0, new LatencyHistogram()));
        Report report = Samples.report(Samples.result(
                "waiters-200", Map.of(Entrant.REDISSON, starved, Entrant.KEYHOLD_JEDIS, Samples.figures(1, 1000))));
        assertThat(new HtmlReport(report).text())
                .contains("no hold within a round")
                .doesNotContain("NaN");
        assertThat(new MarkdownReport(report).text())
                .contains("| Redisson RLock | 0 | – | – | – | – | – | – | – | 0–0 | kept |");
    }

    @Test
    void rawNumbersAreThere() {
        assertThat(RawNumbers.json(Samples.report(result)))
                .contains("\"redisson\": [{\"value\": 250.0, \"commandsPerHold\": 27.123, \"p50Nanos\": 4000000,");
        assertThat(Json.of(List.of("</script>\n\"", Double.NaN, 3L)))
                .isEqualTo("[\"\\u003c/script>\\u000a\\\"\", null, 3]");
    }

    @Test
    void theEnvironmentIsFilledIn() {
        assertThat(Environment.current("Redis 7", "-Xmx1m").facts())
                .containsEntry("Server", "Redis 7")
                .containsKeys("Processor", "Redisson", "Spring Integration")
                .allSatisfy((name, value) -> assertThat(value).isNotBlank().doesNotContain("${"));
    }
}
