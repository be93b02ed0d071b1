package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command under a lock owns the terminal as if called directly, and gets signals from other processes. */
@Tag("full")
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class RunOnTerminalTest {

    private static final String CODE = "; echo \"code $?\"";

    @TempDir
    private Path home = Path.of("");

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private @Nullable Tmux opened;

    @BeforeAll
    static void requireTmux() {
        assumeTrue(Tmux.has("tmux"), "needs tmux");
    }

    @BeforeEach
    void open() {
        opened = Tmux.open(home, Launcher.in(home).on(server.uri()).variables(), 100, 30);
    }

    @AfterEach
    void close() {
        terminal().close();
        server.close();
    }

    private Tmux terminal() {
        return Objects.requireNonNull(opened);
    }

    private void awaitLine(String line) {
        terminal().await(screen -> screen.lines().anyMatch(line::equals));
    }

    @Test
    void commandReadsTheTerminal() {
        terminal().line("\"$KEYHOLD\" run x -- sh -c 'echo up; read line; echo \"got $line\"; exit 7'" + CODE);
        awaitLine("up");
        terminal().line("words");
        awaitLine("got words");
        awaitLine("code 7");
    }

    @Test
    void interruptEndsTheCommandOnly() {
        terminal().line("\"$KEYHOLD\" run x -- sh -c 'echo up; exec sleep 100'" + CODE);
        awaitLine("up");
        terminal().key("C-c");
        terminal().await(screen -> screen.contains("code 130"));
        terminal().line("\"$KEYHOLD\" run x --no-wait -- echo released");
        awaitLine("released");
    }

    @Test
    void stopAndContinue() {
        String command = "\"$KEYHOLD\" run x -- sh -c 'echo up; read line; echo \"got $line\"'";
        terminal().line(command);
        awaitLine("up");
        terminal().key("C-z");
        terminal().await(screen -> screen.contains("Stopped"));
        terminal().line("\"$KEYHOLD\" show x >/dev/null && echo still held");
        awaitLine("still held");
        terminal().line("fg; echo \"code $?\"");
        awaitLine(command); // Printed by fg: from now on the shell does not read the terminal.
        terminal().line("words");
        awaitLine("got words");
        awaitLine("code 0");
    }

    @Test
    void callerGetsTheTerminalBack() {
        terminal()
                .line("bash -c '\"$KEYHOLD\" run x -- sh -c \"echo up; read line; exit 3\"; echo \"code $?\";"
                        + " read line; echo \"then $line\"'");
        awaitLine("up");
        terminal().line("for the command");
        awaitLine("code 3");
        terminal().line("for the caller");
        awaitLine("then for the caller");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP", "QUIT"})
    void signalsOfOtherProcessesAreForwarded(String signal) {
        terminal()
                .line("(echo \"process $BASHPID.\"; exec \"$KEYHOLD\" run x -- bash -c"
                        + " 'trap \"echo got it; exit 9\" " + signal + "; echo up; while :; do sleep 0.02; done')"
                        + CODE);
        awaitLine("up");
        String process = terminal()
                .screen()
                .lines()
                .filter(line -> line.matches("process [0-9]+\\."))
                .findFirst()
                .orElseThrow();
        Signals.send(signal, Long.parseLong(process.replaceAll("[^0-9]", "")));
        awaitLine("got it");
        awaitLine("code 9");
        assertThat(terminal().screen().lines().filter("got it"::equals)).hasSize(1);
    }

    @Test
    void lossStopsTheCommandOnTheTerminal() {
        // The next renewal, after a third of the lease, notices the loss, even if it is late by seconds.
        terminal().line("\"$KEYHOLD\" run x --lease 10s --kill-grace 100ms -- sh -c 'echo up; exec sleep 100'" + CODE);
        awaitLine("up");
        try (Redis console = new Redis(server.uri())) {
            console.call("DEL", "x");
        }
        awaitLine("code 203");
        terminal().await(screen -> screen.contains("keyhold: lost the lock on x"));
    }
}
