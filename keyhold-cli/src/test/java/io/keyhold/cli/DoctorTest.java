package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.keyhold.cli.view.StrictJson;
import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What the doctor says, and its exit codes; each check has its test beside it, in {@code doctor}. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class DoctorTest {

    @TempDir
    private Path home = Path.of("");

    @Test
    void aServerThatIsWell() {
        try (EmbeddedRedis server =
                EmbeddedRedis.builder().option("appendonly", "yes").start()) {
            Launcher.Result result = Launcher.in(home).on(server.uri()).run("doctor");
            assertThat(result.output()).contains("127.0.0.1:" + server.port() + "\n", "  OK    eviction     ");
            assertThat(result.output()).doesNotContain("FAIL", "\u001b");
            // The machine of a test may be slow, which the doctor sees and which is no mistake of his.
            if (result.output().contains("  OK    latency")) {
                assertThat(result.output()).endsWith("13 checks, and all is well\n");
                assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
            }
        }
    }

    @Test
    void aServerToBeWarnedOf() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home).on(server.uri()).run("doctor");
            assertThat(result.exitCode()).isEqualTo(ExitCode.NO);
            assertThat(result.output()).contains("  WARN  persistence  appendonly no", "To do: Set appendonly yes");
        }
    }

    @Test
    void aServerThatLosesLocks() {
        try (EmbeddedRedis server = EmbeddedRedis.builder()
                .option("maxmemory", "100mb")
                .option("maxmemory-policy", "allkeys-lru")
                .start()) {
            Launcher.Result result = Launcher.in(home).on(server.uri()).run("doctor", "--json");
            assertThat(result.exitCode()).isEqualTo(ExitCode.DANGER);
            JsonObject report = StrictJson.read(result.output()).getAsJsonObject();
            assertThat(report.get("level").getAsString()).isEqualTo("FAIL");
            assertThat(report.get("quorum").isJsonNull()).isTrue();
            JsonObject only = report.getAsJsonArray("servers").get(0).getAsJsonObject();
            assertThat(only.get("address").getAsString()).isEqualTo("127.0.0.1:" + server.port());
            JsonObject finding = finding(only, "eviction");
            assertThat(finding.get("level").getAsString()).isEqualTo("FAIL");
            assertThat(finding.get("cure").getAsString()).contains("noeviction");
        }
    }

    private static JsonObject finding(JsonObject server, String check) {
        return StreamSupport.stream(server.getAsJsonArray("findings").spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .filter(finding -> finding.get("check").getAsString().equals(check))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aQuorumOfWhichOneNodeIsAway() {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home)
                    .run("doctor", "--redis", first.uri(), "--redis", second.uri() + ",redis://127.0.0.1:1");
            assertThat(result.exitCode()).isEqualTo(ExitCode.DANGER);
            assertThat(result.output())
                    .contains(
                            "127.0.0.1:1\n  FAIL  connection",
                            "  OK    persistence  none, which a quorum does not need")
                    .contains("quorum\n  OK    nodes        3 different servers")
                    .contains("  FAIL  votes        0 of 3 nodes can vote");
        }
    }

    @Test
    void nobodyThere() {
        Launcher.Result result = Launcher.in(home).on("redis://127.0.0.1:1").run("doctor");
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.output()).contains("FAIL  connection");
    }
}
