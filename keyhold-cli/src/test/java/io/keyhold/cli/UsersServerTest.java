package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The server that starts by itself, is shared, and ends by itself. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class UsersServerTest {

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void noServerIsNamed() {
        keyhold = Launcher.in(home);
    }

    @AfterEach
    void stop() {
        keyhold.run("embedded", "stop");
    }

    @Test
    void twentyFirstCallsStartItOnce() throws IOException {
        Launcher.Result result = keyhold.bash("for i in {1..20}; do \"$KEYHOLD\" run x -- echo inside & done; wait");

        assertThat(result.output().lines()).hasSize(20).allMatch("inside"::equals);
        assertThat(result.error().lines())
                .as("said once")
                .singleElement()
                .asString()
                .startsWith("keyhold: started a Redis server of your own on 127.0.0.1:")
                .contains("keyhold embedded stop");
        Launcher.Result status = keyhold.run("embedded", "status");
        assertThat(status.exitCode()).isZero();
        assertThat(status.output()).startsWith("running on 127.0.0.1:").contains("files in " + server());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(server().resolve("redis.conf"))))
                .as("who may read the password")
                .isEqualTo("rw-------");
    }

    @Test
    void stopAndStartAgainKeepsWhatIsHeld() {
        String token = keyhold.run("acquire", "x", "--lease", "10m").output().strip();
        assertThat(keyhold.run("embedded", "stop").output()).isEqualTo("stopped\n");
        assertThat(keyhold.run("embedded", "status").exitCode()).isEqualTo(ExitCode.NO);
        assertThat(keyhold.run("embedded", "stop").output()).isEqualTo("was not running\n");

        assertThat(keyhold.run("run", "x", "--no-wait", "--", "true").exitCode())
                .isEqualTo(ExitCode.BUSY);
        assertThat(keyhold.run("release", "x", "--token", token).exitCode()).isZero();
    }

    @Test
    void crashedServerIsStartedAgainAndAnotherProcessesIdIsLeftAlone() throws IOException {
        keyhold.run("run", "x", "--", "true");
        Path pidFile = server().resolve("redis.pid");
        long pid = Long.parseLong(Files.readString(pidFile).strip());
        Signals.send("KILL", pid);
        Await.end(pid);
        Files.writeString(pidFile, ProcessHandle.current().pid() + "\n");

        Launcher.Result result = keyhold.run("run", "x", "--", "echo", "inside");
        assertThat(result.output()).isEqualTo("inside\n");
        assertThat(result.error()).startsWith("keyhold: started");
    }

    @Test
    void portThatIsSomebodyElsesNow() throws IOException {
        Files.createDirectories(server());
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answer(stranger));
            answering.setDaemon(true);
            answering.start();
            Files.writeString(
                    server().resolve("redis.conf"), "port " + stranger.getLocalPort() + "\nrequirepass secret\n");
            assertThat(keyhold.run("run", "x", "--", "echo", "inside").output()).isEqualTo("inside\n");
        }
    }

    private static void answer(ServerSocket stranger) {
        try {
            while (true) {
                stranger.accept()
                        .getOutputStream()
                        .write("-ERR who are you?\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void damagedNoteIsReplaced() throws IOException {
        Files.createDirectories(server());
        Files.writeString(server().resolve("redis.conf"), "port x\nrequire");
        assertThat(keyhold.run("run", "x", "--", "echo", "inside").output()).isEqualTo("inside\n");
    }

    @Test
    void endsByItselfWhenItIsIdleAndNotBefore() throws IOException {
        keyhold.with("KEYHOLD_EMBEDDED_IDLE", "2s");
        Launcher.Call busy = keyhold.start(
                "run", "x", "--", "sh", "-c", "echo up; while [ ! -e \"$KEYHOLD_HOME/go\" ]; do sleep 0.05; done");
        Await.until(() -> busy.outputSoFar().contains("up"));
        long pid =
                Long.parseLong(Files.readString(server().resolve("redis.pid")).strip());
        // The watch has counted its two seconds, asked, and heard that a call is under way.
        Path used = server().resolve("used");
        long first = Files.getLastModifiedTime(used).toMillis();
        Await.until(() -> modified(used) > first);
        assertThat(Await.isAlive(pid)).isTrue();

        Files.createFile(home.resolve("go"));
        assertThat(busy.result().exitCode()).isZero();
        Await.end(pid);
    }

    private static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Path server() {
        return home.resolve("server");
    }
}
