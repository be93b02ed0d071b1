package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The demo in a pipe; {@link TerminalTest} tests it on a terminal. */
@Tag("full")
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class DemoTest {

    /** On a busy machine a worker may pause inside the lock for seconds, and must not lose it. */
    static final String LONG_LEASE = "--lease 10s";

    @Test
    void printsEventsAndProof(@TempDir Path home) {
        Launcher.Result result =
                Launcher.in(home).bash("\"$KEYHOLD\" demo --seconds 3 " + LONG_LEASE + " | cat; exit ${PIPESTATUS[0]}");
        assertThat(result.exitCode()).as(result.output() + result.error()).isEqualTo(ExitCode.OK);
        assertThat(result.output())
                .doesNotContain("\u001b")
                .contains("worker-1 was killed (kill -9)")
                .containsPattern("lock       worker-\\d -> worker-\\d +fencing token \\d+")
                .containsPattern("semaphore  worker-\\d +[12] of 2 permits in use");
        assertThat(result.output().lines()).last().asString().startsWith("Proved: never two inside the lock");
    }

    @Test
    void cheatingWorkerIsDetected(@TempDir Path home) {
        Launcher.Result result = Launcher.in(home).run("demo", "--seconds", "3", "--cheat");
        assertThat(result.exitCode()).as(result.output() + result.error()).isEqualTo(ExitCode.DANGER);
        assertThat(result.output()).contains("TOO MANY INSIDE", "FAIL  never two inside the lock");
        assertThat(result.output().lines()).last().asString().startsWith("NOT PROVED: never two inside the lock");
    }

    @Test
    void stoppedEarlyExitsWithOne(@TempDir Path home) {
        Launcher.Result result = Launcher.in(home)
                .bash("\"$KEYHOLD\" demo --seconds 3600 " + LONG_LEASE
                        + " | head -n 2 >/dev/null; exit ${PIPESTATUS[0]}");
        assertThat(result).isEqualTo(new Launcher.Result(ExitCode.NO, "", ""));
    }

    @Test
    void tooFewWorkersAreRefused(@TempDir Path home) {
        assertThat(Launcher.in(home).run("demo", "--workers", "1"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE,
                        "",
                        "keyhold: --workers must be from 3 to 32, was 1 (keyhold demo --help shows the usage)\n"));
    }
}
