package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person at a terminal sees. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class TerminalTest {

    private static final String SAY_HOW =
            "echo \"code $?, $(stty -a | grep -o -e '-*icanon' -e '-*echo ')\" | tr '\\n' ' '";
    private static final int COLUMNS = 90;

    @BeforeAll
    static void tmuxIsThere() {
        assumeTrue(Tmux.has("tmux"), "needs tmux");
    }

    private static Tmux terminal(Path home, String uri) {
        return Tmux.open(home, Launcher.in(home).on(uri).variables(), COLUMNS, 30);
    }

    @Test
    void watchingLocksComeAndGo(@TempDir Path home) {
        String longKey = "long:" + "x".repeat(200);
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = Keyhold.connect(PatientUri.of(server.uri()));
                Tmux terminal = terminal(home, server.uri())) {
            try (Lease lease = keyhold.lock(longKey).tryAcquire().orElseThrow()) {
                terminal.line("\"$KEYHOLD\" ls --watch --interval 100ms");
                String screen = terminal.await(seen -> seen.contains("x…  lock"));
                assertThat(screen.lines().toList().get(2)).startsWith("KEY ").endsWith("WAITERS");
                // In place: the shell's own screen is not to be seen meanwhile, and what is older is not below.
                assertThat(screen).doesNotContain("ready>").containsOnlyOnce("KEY ");
                assertThat(screen.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
                assertThat(lease.isHeld()).isTrue();
            }
            terminal.await(screen -> screen.contains("(nothing is held)") && !screen.contains("long:"));

            terminal.key("q");
            terminal.await(screen ->
                    screen.lines().filter(line -> line.startsWith("ready>")).count() == 2);
            terminal.line(SAY_HOW);
            terminal.await(screen -> screen.contains("code 0, icanon echo"));
            assertThat(terminal.screen()).doesNotContain("(nothing is held)");

            terminal.line("clear; \"$KEYHOLD\" ls -w");
            terminal.await(screen -> screen.contains("(nothing is held)"));
            terminal.key("C-c");
            terminal.await(screen -> screen.contains("ready>"));
            terminal.line(SAY_HOW);
            terminal.await(screen -> screen.contains("code 130, icanon echo"));
        }
    }

    @Test
    void watchingGoesOnWhenTheServerComesBack(@TempDir Path home) {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Tmux terminal = terminal(home, server.uri())) {
            terminal.line("\"$KEYHOLD\" ls --watch --interval 100ms");
            terminal.await(screen -> screen.contains("(nothing is held)"));
            server.kill();
            terminal.await(screen -> screen.contains("127.0.0.1:" + server.port()) && !screen.contains("KEY "));
            server.restart();
            terminal.await(screen -> screen.contains("(nothing is held)"));
        }
    }

    @Test
    void theDemonstration(@TempDir Path home) {
        try (Tmux terminal = terminal(home, "redis://127.0.0.1:1")) {
            terminal.line("\"$KEYHOLD\" demo --seconds 3 " + DemoTest.LONG_LEASE + "; echo \"code $?\"");
            // The verdict has some of these words too, but nothing that q would end.
            String screen = terminal.await(seen -> seen.contains("q ends it") && seen.contains("killed (kill -9)"));
            assertThat(screen)
                    .contains("LOCK ", "hand-overs", "SEMAPHORE ", "fencing token ", "queue ", "worker-4")
                    .doesNotContain("ready>");
            screen = terminal.await(seen -> seen.contains("code 0"));
            assertThat(screen).contains("ready>", "OK    never two inside the lock", "Proved: ");
        }
    }

    @Test
    void theDemonstrationIsLeftEarly(@TempDir Path home) {
        try (Tmux terminal = terminal(home, "redis://127.0.0.1:1")) {
            terminal.line("\"$KEYHOLD\" demo --seconds 3600 " + DemoTest.LONG_LEASE + "; echo \"code $?\"");
            terminal.await(seen -> seen.contains("q ends it"));
            terminal.key("q");
            String screen = terminal.await(seen -> seen.contains("code 1"));
            assertThat(screen).contains("Ended early: nothing was contradicted").doesNotContain("FAIL");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash --norc --noprofile", "zsh -f"})
    void theTabulatorKeyCompletes(String shell, @TempDir Path home) {
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
