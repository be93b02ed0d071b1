package io.keyhold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.report.Figures;
import io.keyhold.benchmarks.report.ShapeResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs one short round of the shapes that start their own servers. */
@Tag("full")
class BenchmarkTest {
    @TempDir
    private Path temporary;

    @Test
    void quorumShapesRun() throws InterruptedException {
        List<ShapeResult> results = run("--seconds", "0.2", "quorum-own-1", "quorum-one-stopped");
        assertThat(results).hasSize(2).allSatisfy(result -> {
            assertThat(result.absent()).isEmpty();
            assertThat(keyhold(result).rounds()).hasSize(1);
            assertThat(keyhold(result).faults()).isZero();
        });
        assertThat(keyhold(results.get(1)).rounds().get(0).parts())
                .as("with none and with one of the servers stopped")
                .containsOnlyKeys(0, 1);
    }

    @Test
    void quorumShapeNeedsItsOwnServers() throws InterruptedException {
        try (RedisServers other = RedisServers.start(1)) {
            List<ShapeResult> results = run("--redis", other.uris().get(0), "quorum-own-1");
            assertThat(results.get(0).figures()).isEmpty();
            assertThat(results.get(0).absent())
                    .containsEntry(Contender.KEYHOLD_JEDIS, "needs 5 servers, and --redis names one");
        }
    }

    @Test
    void durableShapeRunsOnServersWithReplicas() throws InterruptedException {
        List<ShapeResult> results = run("--seconds", "0.2", "--contenders", "keyhold-jedis-durable", "durable-1");
        assertThat(results.get(0).absent()).isEmpty();
        assertThat(results.get(0).figures())
                .containsOnlyKeys(Contender.KEYHOLD_JEDIS, Contender.KEYHOLD_JEDIS_DURABLE)
                .allSatisfy((contender, figures) ->
                        assertThat(figures.rounds().get(0).value()).isPositive());
        try (RedisServers other = RedisServers.start(1)) {
            assertThat(run("--redis", other.uris().get(0), "durable-1").get(0).absent())
                    .containsEntry(
                            Contender.KEYHOLD_JEDIS,
                            "needs a server with replicas that is started here, and --redis names another");
        }
    }

    private static Figures keyhold(ShapeResult result) {
        return Objects.requireNonNull(result.figures().get(Contender.KEYHOLD_JEDIS));
    }

    private List<ShapeResult> run(String... words) throws InterruptedException {
        String[] all = new String[words.length + 4];
        System.arraycopy(new String[] {"--rounds", "1", "--contenders", "keyhold-jedis"}, 0, all, 0, 4);
        System.arraycopy(words, 0, all, 4, words.length);
        Arguments arguments = Arguments.parse(all);
        PrintStream discarded = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Progress progress = new Progress(discarded, false, Plan.seconds(arguments), System::nanoTime);
        try (RedisServer server = RedisServer.open(arguments.redis())) {
            return new Benchmark(arguments, server, temporary.resolve("worker.log"), progress).run();
        }
    }
}
