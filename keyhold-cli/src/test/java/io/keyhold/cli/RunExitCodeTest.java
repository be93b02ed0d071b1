package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit codes of keyhold run; {@link RunLossTest} tests the loss. */
@EndToEnd
final class RunExitCodeTest {

    /** Of a shell. */
    private static final int NOT_EXECUTABLE = 126;

    private static final int NOT_FOUND = 127;

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void connect() {
        keyhold = Launcher.in(home).on(SERVER.uri());
    }

    @Test
    void exitCodeOfTheCommand() {
        assertThat(keyhold.run("run", "own", "--", "sh", "-c", "exit 7").exitCode())
                .isEqualTo(7);
        assertThat(keyhold.run("run", "own", "--no-wait", "--", "true"))
                .as("released when the command has ended")
                .isEqualTo(new Launcher.Result(0, "", ""));
    }

    @Test
    void killedCommand() {
        assertThat(keyhold.run("run", "killed", "--", "sh", "-c", "kill -9 $$").exitCode())
                .isEqualTo(128 + 9);
    }

    /** The launcher finds a report of the lease holder in front of the exit code, when the processes of the command are gone. */
    @Test
    void commandThatEndsWhileTheLauncherIsStopped() {
        Launcher.Result result = keyhold.bash("cd \"$KEYHOLD_HOME\"; \"$KEYHOLD\" run stopped -- sh -c"
                + " 'echo $$ >pid; until [ -e go ]; do sleep 0.05; done; exit 5' & call=$!; until [ -s pid ]; do sleep 0.05; done;"
                + " kill -STOP $call; sleep 1; touch go; while kill -0 $(cat pid) 2>/dev/null; do sleep 0.05; done;"
                + " kill -CONT $call; wait $call; echo $?");
        assertThat(result).isEqualTo(new Launcher.Result(0, "5\n", ""));
    }

    @Test
    void commandNotFound() {
        Launcher.Result result = keyhold.run("run", "missing", "--", "no-such-command");
        assertThat(result.exitCode()).isEqualTo(NOT_FOUND);
        assertThat(result.error()).isEqualTo("keyhold: no-such-command: command not found\n");
    }

    @Test
    void commandNotExecutable() throws Exception {
        Path file = Files.writeString(home.resolve("plain.txt"), "text");
        assertThat(keyhold.run("run", "plain", "--", file.toString()).exitCode())
                .isEqualTo(NOT_EXECUTABLE);
        assertThat(keyhold.run("run", "plain", "--no-wait", "--", "true").exitCode())
                .as("the lock was released")
                .isZero();
    }

    @Test
    void busyAndTimedOut() {
        Launcher.Result holding = keyhold.run("acquire", "taken", "--lease", "10m", "--label", "other");
        assertThat(holding.exitCode()).isZero();

        Launcher.Result busy = keyhold.run("run", "taken", "--no-wait", "--", "touch", "here");
        assertThat(busy.exitCode()).isEqualTo(ExitCode.BUSY);
        assertThat(busy.error()).startsWith("keyhold: busy: 'taken' is held by other@");

        Launcher.Result late = keyhold.run("run", "free", "taken", "--wait", "50ms", "--", "touch", "here");
        assertThat(late.exitCode()).isEqualTo(ExitCode.TIMED_OUT);
        assertThat(late.error()).startsWith("keyhold: timed out after 50ms: 'taken' is held by other@");
        assertThat(Path.of("here")).doesNotExist();
    }

    @Test
    void unreachableServer() {
        Launcher.Result result = keyhold.run("run", "x", "--redis", "redis://127.0.0.1:1", "--", "true");
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.error().lines()).singleElement().asString().contains("127.0.0.1:1");
    }

    @Test
    void wrongUse() {
        assertUsageError("missing command", "run", "x");
        assertUsageError("missing key", "run", "--", "true");
        assertUsageError(
                "must be at most a third of the lease of 9s",
                "run",
                "x",
                "--lease",
                "9s",
                "--kill-grace",
                "4s",
                "--",
                "true");
        assertUsageError("needs --of", "run", "x", "--permits", "2", "--", "true");
        assertUsageError("must be a whole number with a unit", "run", "x", "--wait", "5", "--", "true");
    }

    private void assertUsageError(String rule, String... arguments) {
        Launcher.Result result = keyhold.run(arguments);
        assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.USAGE);
        assertThat(result.error().lines())
                .singleElement()
                .asString()
                .startsWith("keyhold: ")
                .contains(rule);
    }
}
