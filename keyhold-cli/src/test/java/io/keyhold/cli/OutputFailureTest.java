package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A result that cannot be written has its own exit code. */
@Tag("full")
@EndToEnd
final class OutputFailureTest {

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();
    private static final String FULL = "cannot write the result: No space left on device";

    /** Opens descriptor 4 for writing to a pipe without a reader. */
    private static final String CLOSED_PIPE = """
            rm -f "$KEYHOLD_HOME/pipe"
            mkfifo "$KEYHOLD_HOME/pipe"
            exec 3<>"$KEYHOLD_HOME/pipe" 4>"$KEYHOLD_HOME/pipe" 3<&-
            """;

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void connect() {
        assumeTrue(Files.exists(Path.of("/dev/full")), "needs /dev/full");
        keyhold = Launcher.in(home).on(SERVER.uri());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--json"})
    void acquireReleasesIfItCannotPrintTheToken(String option) {
        assertThat(keyhold.bash("\"$KEYHOLD\" acquire x " + option + " >/dev/full"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.OUTPUT_FAILED, "", "keyhold: " + FULL + "; the lock was released\n"));
        assertThat(keyhold.run("show", "x").exitCode()).isEqualTo(ExitCode.NO);
    }

    @Test
    void acquireFailsOnAClosedPipe() {
        assertThat(keyhold.bash(CLOSED_PIPE + "\"$KEYHOLD\" acquire y >&4"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.OUTPUT_FAILED,
                        "",
                        "keyhold: cannot write the result: Broken pipe; the lock was released\n"));
        assertThat(keyhold.run("show", "y").exitCode()).isEqualTo(ExitCode.NO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls",
                "ls --json",
                "ls --watch",
                "show z",
                "show z --json",
                "doctor",
                "doctor --json",
                "completion bash",
                "embedded status",
                "--version"
            })
    void fullDisk(String line) {
        assertThat(keyhold.bash("\"$KEYHOLD\" " + line + " >/dev/full"))
                .isEqualTo(new Launcher.Result(ExitCode.OUTPUT_FAILED, "", "keyhold: " + FULL + "\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "ls --watch", "ls --json"})
    void closedPipeIsNoError(String line) {
        assertThat(keyhold.bash(CLOSED_PIPE + "\"$KEYHOLD\" " + line + " >&4"))
                .isEqualTo(new Launcher.Result(ExitCode.OK, "", ""));
        assertThat(keyhold.bash(CLOSED_PIPE + "\"$KEYHOLD\" show z >&4"))
                .isEqualTo(new Launcher.Result(ExitCode.NO, "", ""));
    }
}
