package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output on a terminal. */
@Tag("full")
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class TerminalTest {

    private static final String PRINT_STATE =
            "echo \"code $?, $(stty -a | grep -o -e '-*icanon' -e '-*echo ')\" | tr '\\n' ' '";
    private static final int COLUMNS = 90;

    @BeforeAll
    static void requireTmux() {
        assumeTrue(Tmux.has("tmux"), "needs tmux");
    }

    private static Tmux terminal(Path home, String uri) {
        return Tmux.open(home, Launcher.in(home).on(uri).variables(), COLUMNS, 30);
    }

    @Test
    void watchShowsLocksAppearAndDisappear(@TempDir Path home) {
        String longKey = "long:" + "x".repeat(200);
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = Keyhold.connect(LongTimeouts.of(server.uri()));
                Tmux terminal = terminal(home, server.uri())) {
            try (Lease lease = keyhold.lock(longKey).tryAcquire().orElseThrow()) {
                terminal.line("\"$KEYHOLD\" ls --watch --interval 100ms");
                String screen = terminal.await(seen -> seen.contains("x…  lock"));
                assertThat(screen.lines().toList().get(2)).startsWith("KEY ").endsWith("WAITERS");
                // Redrawn in place: neither the shell's screen nor an older frame is visible.
                assertThat(screen).doesNotContain("ready>").containsOnlyOnce("KEY ");
                assertThat(screen.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
                assertThat(lease.isHeld()).isTrue();
            }
            terminal.await(screen -> screen.contains("(no lock is held)") && !screen.contains("long:"));

            terminal.key("q");
            terminal.await(screen ->
                    screen.lines().filter(line -> line.startsWith("ready>")).count() == 2);
            terminal.line(PRINT_STATE);
            terminal.await(screen -> screen.contains("code 0, icanon echo"));
            assertThat(terminal.screen()).doesNotContain("(no lock is held)");

            terminal.line("clear; \"$KEYHOLD\" ls -w");
            terminal.await(screen -> screen.contains("(no lock is held)"));
            terminal.key("C-c");
            terminal.await(screen -> screen.contains("ready>"));
            terminal.line(PRINT_STATE);
            terminal.await(screen -> screen.contains("code 130, icanon echo"));
        }
    }

    @Test
    void watchContinuesAfterAServerRestart(@TempDir Path home) {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Tmux terminal = terminal(home, server.uri())) {
            terminal.line("\"$KEYHOLD\" ls --watch --interval 100ms");
            terminal.await(screen -> screen.contains("(no lock is held)"));
            server.kill();
            terminal.await(screen -> screen.contains("127.0.0.1:" + server.port()) && !screen.contains("KEY "));
            server.restart();
            terminal.await(screen -> screen.contains("(no lock is held)"));
        }
    }

    @Test
    void watchEndsWithItsTerminal(@TempDir Path home) throws IOException {
        Path process = home.resolve("process");
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            try (Tmux terminal = terminal(home, server.uri())) {
                terminal.line("(trap '' HUP; echo $BASHPID >'" + process
                        + "'; exec \"$KEYHOLD\" ls --watch --interval 100ms)");
                terminal.await(screen -> screen.contains("(no lock is held)"));
            }
            Await.end(Long.parseLong(Files.readString(process).strip()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash --norc --noprofile", "zsh -f"})
    void tabKeyCompletes(String shell, @TempDir Path home) {
        String name = shell.split(" ", -1)[0];
        assumeTrue(Tmux.has(name), "needs " + name);
        try (Tmux terminal = terminal(home, "redis://127.0.0.1:1")) {
            terminal.line("PS1='inside> ' " + shell);
            terminal.await(screen -> screen.lines().anyMatch(line -> line.startsWith("inside>")));
            terminal.line(
                    "source <(\"$KEYHOLD\" completion " + name + "); keyhold() { echo \"asked for $*\"; }; clear");
            terminal.await(screen -> screen.startsWith("inside>"));
            terminal.line("keyhold doc\t--js\t");
            terminal.await(screen -> screen.contains("asked for doctor --json"));
        }
    }
}
