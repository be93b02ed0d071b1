package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
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
import org.junit.jupiter.params.provider.CsvSource;
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

    /** As if the command had been called without keyhold. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "C-c   ~ bash -c 'for i in 1 2 3; do RUN; echo next; done; echo end'   ~ 130",
                "C-c   ~ dash -c 'for i in 1 2 3; do RUN; echo next; done; echo end'   ~ 130",
                "C-c   ~ bash -c 'RUN && echo next; echo end'                          ~ 130",
                "C-c   ~ for i in 1 2 3; do RUN; echo next; done                       ~ 130",
                "C-c   ~ make -f makefile                                              ~ 130",
                "C-c   ~ \"$KEYHOLD\" run outer -- bash -c 'RUN; echo next'            ~ 130",
                "C-c   ~ bash -c '\"$KEYHOLD\" run outer -- RUN; echo next'            ~ 130",
                "C-c   ~ bash -c 'RUN </dev/null; echo next'                           ~ 130",
                "C-c   ~ bash -c 'RUN | cat; echo next'                                ~ 130",
                "'C-\\' ~ dash -c 'for i in 1 2 3; do RUN; echo next; done; echo end'  ~ 131",
            })
    void signalOfTheTerminalEndsTheCaller(String key, String line, int code) throws IOException {
        Path run = Files.writeString(
                home.resolve("run.sh"), "exec \"$KEYHOLD\" run x -- sh -c 'echo up; exec sleep 100'\n");
        Files.writeString(home.resolve("makefile"), "all:\n\t@bash " + run + "\n\t@echo next\n");
        terminal().line(line.replace("RUN", "bash run.sh"));
        awaitLine("up");
        terminal().key(key);
        terminal()
                .await(screen ->
                        screen.lines().filter(text -> text.startsWith("ready>")).count() == 2);
        terminal().line("echo \"code $?\"");
        awaitLine("code " + code);
        assertThat(terminal().screen().lines()).doesNotContain("next", "end");
        terminal().line("\"$KEYHOLD\" run x --no-wait -- echo released");
        awaitLine("released");
    }

    /** A command that handles the interrupt ends as it likes, and the caller continues. */
    @Test
    void handledInterruptDoesNotEndTheCaller() throws IOException {
        Files.writeString(home.resolve("handled.sh"), "trap 'exit 7' INT; echo up; read line\n");
        terminal().line("bash -c '\"$KEYHOLD\" run x -- bash handled.sh; echo next $?'" + CODE);
        awaitLine("up");
        terminal().key("C-c");
        terminal().await(screen -> screen.contains("next 7"));
        awaitLine("code 0");
    }

    @Test
    void commandInTheBackgroundThatReadsTheTerminalStops() {
        String command = "\"$KEYHOLD\" run x -- sh -c 'read line; echo \"got $line\"'";
        terminal().line(command + " &");
        terminal().line("until jobs -s | grep -q KEYHOLD; do sleep 0.1; done; echo it stopped");
        awaitLine("it stopped");
        terminal().line("fg; echo \"code $?\"");
        awaitLine(command); // Printed by fg: from now on the shell does not read the terminal.
        terminal().line("words");
        awaitLine("got words");
        awaitLine("code 0");
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
        // The next renewal, after a third of the lease, notices the loss, even if it is late by ten seconds.
        terminal().line("\"$KEYHOLD\" run x --lease 18s --kill-grace 100ms -- sh -c 'echo up; exec sleep 100'" + CODE);
        awaitLine("up");
        try (Redis console = new Redis(server.uri())) {
            console.call("DEL", "x");
        }
        awaitLine("code 203");
        terminal().await(screen -> screen.contains("keyhold: lost the lock on x"));
    }

    @Test
    void waitingShowsHolderAndPosition() {
        terminal().line("token=$(\"$KEYHOLD\" acquire x --lease 10m); \"$KEYHOLD\" run x -- echo inside");
        terminal()
                .await(screen -> screen.replace("\n", "")
                        .matches("(?s).*keyhold: waiting [^;]+; position 1 of 1; 'x' is held by keyhold@.*"));
        terminal().key("C-c");
        terminal().line("clear; \"$KEYHOLD\" release x --token $token && echo released");
        awaitLine("released");
    }

    /** As it ends a loop around any other command that waits. */
    @Test
    void interruptedAcquireEndsTheCaller() {
        terminal()
                .line("token=$(\"$KEYHOLD\" acquire x --lease 10m);"
                        + " bash -c 'until \"$KEYHOLD\" acquire x; do echo next; done'");
        terminal().await(screen -> screen.contains("position 1 of 1"));
        terminal().key("C-c");
        terminal().await(screen -> screen.lines().anyMatch("ready>"::equals));
        terminal().line("echo \"code $?\"");
        awaitLine("code 130");
        assertThat(terminal().screen().lines()).doesNotContain("next");
    }

    /** A line that is drawn again and again would overwrite what the user types. */
    @Test
    void waitInTheBackgroundDrawsNothing() throws IOException {
        Path all = home.resolve("all");
        terminal().record(all);
        terminal().line("token=$(\"$KEYHOLD\" acquire x --lease 10m); \"$KEYHOLD\" run x -- true &");
        try (Redis console = new Redis(server.uri())) {
            Await.until(() -> console.call("LLEN", "{x}:kh:queue").equals(1L));
        }
        terminal().line("\"$KEYHOLD\" run x -- true");
        terminal().await(screen -> screen.contains("position 2 of 2"));
        assertThat(Files.readString(all)).doesNotContain("position 1 of");
        terminal().key("C-c");
        terminal().line("kill %1");
    }

    /** The lease holder is in the background, where the terminal would stop it when it writes. */
    @Test
    void terminalThatStopsWritersInTheBackground() {
        terminal().line("stty tostop; \"$KEYHOLD\" acquire x --lease 10m" + CODE);
        awaitLine("code 0");
        terminal().line("clear; \"$KEYHOLD\" run x --no-wait -- true" + CODE);
        awaitLine("code 201");
        assertThat(terminal().screen()).contains("keyhold: busy: 'x' is held by ");
    }
}
