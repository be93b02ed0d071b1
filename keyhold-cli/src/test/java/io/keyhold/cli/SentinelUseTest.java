package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.keyhold.cli.view.StrictJson;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedSentinel;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a master with sentinels. */
@Tag("full")
@EndToEnd
final class SentinelUseTest {

    @TempDir
    private Path home = Path.of("");

    @Test
    void everyCommandFollowsSentinels() {
        try (EmbeddedSentinel group = EmbeddedSentinel.start()) {
            Launcher keyhold = Launcher.in(home).on(group.uri());
            String token =
                    keyhold.run("acquire", "backup", "--lease", "10m").output().strip();
            assertThat(keyhold.run("ls").output()).contains("backup");
            assertThat(keyhold.run("show", "backup").output()).contains(token);
            assertThat(keyhold.run("run", "backup", "--no-wait", "--", "true").exitCode())
                    .isEqualTo(ExitCode.BUSY);
            assertThat(keyhold.run("release", "backup", "--token", token).exitCode())
                    .isZero();

            doctorChecksMaster(keyhold, group);
            unknownMasterIsOneLine(group);
            serversOfGroupAreNamed(group);
        }
    }

    private static void doctorChecksMaster(Launcher keyhold, EmbeddedSentinel group) {
        EmbeddedRedis master = group.master();
        String address = master.host() + ":" + master.port();
        String page = keyhold.run("doctor").output();
        assertThat(page)
                .startsWith("sentinel\n  OK    sentinels    3 of 3 sentinels know the master '" + group.masterName()
                        + "', which is " + address + ", with 2 replicas\n")
                .contains("\n" + address + "\n  OK    connection", "  OK    role         a master")
                .contains("  WARN  replication  2 replicas, min-replicas-to-write 0", "  OK    trial");
        JsonObject json =
                StrictJson.read(keyhold.run("doctor", "--json").output()).getAsJsonObject();
        assertThat(json.getAsJsonArray("sentinel")).hasSize(1);
        assertThat(json.getAsJsonArray("servers")).hasSize(1);
        assertThat(json.get("cluster").isJsonNull()).isTrue();
    }

    private void unknownMasterIsOneLine(EmbeddedSentinel group) {
        Launcher keyhold = Launcher.in(home).on(group.uri().replaceAll("master=[^&]*", "master=nosuch"));
        Launcher.Result run = keyhold.run("run", "x", "--", "true");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.error())
                .startsWith("keyhold: cannot acquire lock 'x'")
                .contains("no sentinel knows the master 'nosuch'; check the parameter 'master'")
                .hasLineCount(1);
        Launcher.Result doctor = keyhold.run("doctor");
        assertThat(doctor.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(doctor.output()).contains("FAIL  sentinels    no sentinel knows the master 'nosuch'");
    }

    /** A URI of one server, which is a replica or a sentinel. */
    private void serversOfGroupAreNamed(EmbeddedSentinel group) {
        EmbeddedRedis replica = group.replicas().get(0);
        assertThat(Launcher.in(home).on(replica.uri()).run("doctor").output())
                .contains("  FAIL  role         a replica", "Use the master", "redis-sentinel://");
        Launcher.Result refused = Launcher.in(home).on(replica.uri()).run("run", "x", "--wait", "100ms", "--", "true");
        assertThat(refused.error())
                .contains("READONLY", "connect to its master")
                .hasLineCount(1);
        EmbeddedRedis sentinel = group.sentinels().get(0);
        assertThat(Launcher.in(home).on(sentinel.uri()).run("doctor").output())
                .contains("  FAIL  role         a sentinel", "redis-sentinel://" + sentinel.host());
    }
}
