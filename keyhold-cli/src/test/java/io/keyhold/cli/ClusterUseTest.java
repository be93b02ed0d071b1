package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.keyhold.cli.view.StrictJson;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a cluster. */
@Tag("full")
@EndToEnd
final class ClusterUseTest {

    @TempDir
    private Path home = Path.of("");

    @Test
    void everyCommandFindsNodes() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start()) {
            Launcher keyhold = Launcher.in(home).on(cluster.uri());
            for (String key : List.of("a", "b", "c")) {
                assertThat(keyhold.run("acquire", key, "--lease", "10m").exitCode())
                        .isZero();
                assertThat(keyhold.run("show", key).output()).contains("holders   1");
            }
            assertThat(keyhold.run("ls").output().lines()).hasSize(4);
            assertThat(keyhold.run("run", "a", "--no-wait", "--", "true").exitCode())
                    .isEqualTo(ExitCode.BUSY);

            doctorChecksPrimaries(keyhold, cluster);
            nodeOfClusterIsNamed(cluster);
        }
    }

    private static void doctorChecksPrimaries(Launcher keyhold, EmbeddedCluster cluster) {
        String page = keyhold.run("doctor").output();
        assertThat(page)
                .startsWith(
                        "cluster\n  OK    cluster      state ok, 16384 of 16384 slots served, 3 primaries, 3 replicas\n")
                .contains("  OK    trial", "  OK    leftovers    3 locks held");
        for (EmbeddedRedis primary : cluster.masters()) {
            assertThat(page).contains("\n127.0.0.1:" + primary.port() + "\n  OK    connection");
        }
        JsonObject json =
                StrictJson.read(keyhold.run("doctor", "--json").output()).getAsJsonObject();
        assertThat(json.getAsJsonArray("cluster")).hasSize(3);
        assertThat(json.getAsJsonArray("servers")).hasSize(3);
    }

    /** A URI of one server, which is a node of the cluster. */
    private void nodeOfClusterIsNamed(EmbeddedCluster cluster) {
        EmbeddedRedis primary = cluster.masters().get(0);
        Launcher keyhold = Launcher.in(home).on(primary.uri());
        String elsewhere = List.of("a", "b", "c", "d", "e", "f", "g", "h").stream()
                .filter(key -> cluster.masterOf(key).port() != primary.port())
                .findFirst()
                .orElseThrow();
        Launcher.Result moved = keyhold.run("run", elsewhere, "--no-wait", "--", "true");
        assertThat(moved.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(moved.error()).contains("MOVED", "redis-cluster://").hasLineCount(1);
        assertThat(keyhold.run("doctor").output())
                .contains("  WARN  role         a primary of a cluster", "redis-cluster://127.0.0.1:" + primary.port());
    }

    @Test
    void serverThatIsNoClusterIsOneLine() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on("redis-cluster://127.0.0.1:" + server.port());
            Launcher.Result run = keyhold.run("run", "x", "--", "true");
            assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(run.error())
                    .startsWith("keyhold: cannot acquire lock 'x'")
                    .hasLineCount(1);
            Launcher.Result doctor = keyhold.run("doctor");
            assertThat(doctor.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(doctor.output()).contains("  FAIL  cluster      not a cluster");
        }
    }

    @Test
    void clusterWithoutSlotsIsDown() {
        try (EmbeddedRedis node =
                EmbeddedRedis.builder().option("cluster-enabled", "yes").start()) {
            Launcher keyhold = Launcher.in(home).on("redis-cluster://127.0.0.1:" + node.port());
            Launcher.Result run = keyhold.run("run", "x", "--wait", "100ms", "--", "true");
            assertThat(run.exitCode()).isNotZero();
            assertThat(run.error())
                    .startsWith("keyhold: cannot acquire lock 'x'")
                    .hasLineCount(1);
            assertThat(keyhold.run("doctor").output())
                    .contains("  FAIL  cluster      state fail, 0 of 16384 slots served");
        }
    }
}
