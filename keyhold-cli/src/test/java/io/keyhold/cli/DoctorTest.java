package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.keyhold.cli.view.StrictJson;
import io.keyhold.doctor.Diagnosis;
import io.keyhold.doctor.Finding;
import io.keyhold.doctor.Level;
import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Output and exit codes of the doctor; {@code ChecksTest} tests each check. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class DoctorTest {

    @TempDir
    private Path home = Path.of("");

    /** Its result depends on the load of the machine. */
    private static final String LATENCY = "latency";

    @Test
    void healthyServerPasses() {
        try (EmbeddedRedis server =
                EmbeddedRedis.builder().option("appendonly", "yes").start()) {
            Launcher.Result result = Launcher.in(home).on(server.uri()).run("doctor");
            assertThat(result.error()).isEmpty();
            assertThat(result.output())
                    .startsWith("127.0.0.1:" + server.port() + "\n")
                    .doesNotContain("\u001b");
            assertThat(result.output().lines().filter(line -> line.startsWith("  OK    ") || line.contains(LATENCY)))
                    .as(result.output())
                    .hasSize(13);
        }
    }

    @Test
    @Tag("full")
    void serverWithoutPersistenceIsAWarning() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home).on(server.uri()).run("doctor");
            assertThat(result.output()).contains("  WARN  persistence  appendonly no", "To do: Set appendonly yes");
            assertThat(result.exitCode())
                    .isEqualTo(result.output().contains("FAIL  " + LATENCY) ? ExitCode.DANGER : ExitCode.NO);
        }
    }

    @Test
    @Tag("full")
    void privateServerPassesPersistence() {
        Launcher keyhold = Launcher.in(home);
        try {
            assertThat(keyhold.run("doctor").output()).contains("  OK    persistence  appendonly yes");
        } finally {
            keyhold.run("embedded", "stop");
        }
    }

    @Test
    void worstFindingDecidesTheExitCode() {
        assertThat(exitCode(Level.OK, Level.OK)).isEqualTo(ExitCode.OK);
        assertThat(exitCode(Level.WARN, Level.OK)).isEqualTo(ExitCode.NO);
        assertThat(exitCode(Level.FAIL, Level.WARN)).isEqualTo(ExitCode.DANGER);
    }

    private static int exitCode(Level... levels) {
        List<Finding> findings = Arrays.stream(levels)
                .map(level -> new Finding("check", level, "", "", ""))
                .toList();
        return DoctorCommand.exitCode(new Diagnosis(Map.of("server", findings), "single", List.of()));
    }

    @Test
    @Tag("full")
    void evictingServerFails() {
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
    @Tag("full")
    void quorumWithoutMajorityFails() {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home)
                    .run("doctor", "--redis", first.uri(), "--redis", second.uri() + ",redis://127.0.0.1:1");
            assertThat(result.exitCode()).isEqualTo(ExitCode.DANGER);
            assertThat(result.output())
                    .contains("127.0.0.1:1\n  FAIL  connection", "  OK    persistence  none; a quorum does not need it")
                    .contains("quorum\n  OK    nodes        3 different servers")
                    .contains("  FAIL  votes        0 of 3 nodes can vote");
        }
    }

    @Test
    void unreachableServer() {
        Launcher.Result result = Launcher.in(home).on("redis://127.0.0.1:1").run("doctor");
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.output()).contains("FAIL  connection");
    }
}
