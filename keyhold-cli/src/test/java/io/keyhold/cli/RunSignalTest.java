package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals reach the command and all processes that it started, and no others. */
@EndToEnd
final class RunSignalTest {

    @TempDir
    private Path home = Path.of("");

    @ParameterizedTest
    @CsvSource({"INT,2", "TERM,15", "HUP,1", "QUIT,3"})
    void signalEndsTheCommand(String signal, int number) {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            Launcher.Call call = keyhold.start("run", "x", "--", "sh", "-c", "echo up; exec sleep 100");
            Await.until(() -> call.outputSoFar().contains("up"));
            Signals.send(signal, call.process().pid());
            assertThat(call.result()).isEqualTo(new Launcher.Result(Signals.EXIT_CODE_BASE + number, "up\n", ""));
        }
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"INT", "TERM", "HUP", "QUIT"})
    void signalReachesTheWholeGroup(String signal) {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            // The outer shell runs its trap after the inner one has ended, and then kills itself.
            String inner = "trap 'echo child got it; exit' " + signal + "; echo up; while :; do sleep 0.02; done";
            String outer = "trap 'echo got it; kill -KILL $$' " + signal + "; bash -c \"$0\"; sleep 100";
            Launcher.Call call = keyhold.start("run", "x", "--", "bash", "-c", outer, inner);
            Await.until(() -> call.outputSoFar().contains("up"));

            Signals.send(signal, call.process().pid());

            Launcher.Result result = call.result();
            assertThat(result.output().lines()).containsExactly("up", "child got it", "got it");
            assertThat(result.exitCode()).isEqualTo(Signals.EXIT_CODE_BASE + 9);
            assertThat(keyhold.run("run", "x", "--no-wait", "--", "true").exitCode())
                    .as("released")
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"USR1", "USR2", "ALRM"})
    void signalForThePurposesOfTheCommandIsForwarded(String signal) {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            String command = "trap 'echo got it; exit 5' " + signal + "; echo up; while :; do sleep 0.02; done";
            Launcher.Call call = Launcher.in(home).on(server.uri()).start("run", "x", "--", "bash", "-c", command);
            Await.until(() -> call.outputSoFar().contains("up"));
            Signals.send(signal, call.process().pid());
            Launcher.Result result = call.result();
            assertThat(result.exitCode()).as(result.error()).isEqualTo(5);
            assertThat(result.output()).isEqualTo("up\ngot it\n");
        }
    }

    /** A script waits for it, as systemd does: death of a signal is not an exit code. */
    @Test
    void launcherDiesOfTheSignalOfTheCommand() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            // A shell reports to its parent only the death of a signal, and only if job control is on.
            assertThat(keyhold.bash("set -m; \"$KEYHOLD\" run x -- sh -c 'kill -TERM $$' & wait $!; echo $?")
                            .error())
                    .contains("Terminated");
            assertThat(keyhold.bash("set -m; \"$KEYHOLD\" run x -- sh -c 'exit 7' & wait $!; echo $?")
                            .error())
                    .doesNotContain("Terminated");
        }
    }

    @Test
    @Tag("full")
    void callerThatIgnoresSignals() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            assertThat(Launcher.in(home)
                            .on(server.uri())
                            .bash("trap '' INT TERM HUP QUIT USR1; \"$KEYHOLD\" run x -- echo done"))
                    .isEqualTo(new Launcher.Result(0, "done\n", ""));
        }
    }

    @Test
    void commandHasItsOwnProcessGroup() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home)
                    .on(server.uri())
                    .run("run", "x", "--", "sh", "-c", "echo $$ $(ps -o pgid= -p $$) $(ps -o pgid= -p $PPID)");
            List<String> words = List.of(result.output().strip().split(" ", -1));
            assertThat(words.get(1)).as("group of the command").isEqualTo(words.get(0));
            assertThat(words.get(2)).as("group of keyhold").isNotEqualTo(words.get(0));
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM,15", "QUIT,3"})
    void signalWithdrawsTheWaiter(String signal, int number) {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            String token =
                    keyhold.run("acquire", "x", "--lease", "10m").output().strip();
            Launcher.Call waiter = keyhold.start("run", "x", "--", "echo", "never");
            Redis console = new Redis(server.uri());
            Await.until(() -> console.call("LLEN", "{x}:kh:queue").equals(1L));

            console.call("PERSIST", "{x}:kh:queue"); // Without an expiry, only a withdrawal empties it.

            Signals.send(signal, waiter.process().pid());

            assertThat(waiter.result()).isEqualTo(new Launcher.Result(Signals.EXIT_CODE_BASE + number, "", ""));
            Await.until(() -> console.call("LLEN", "{x}:kh:queue").equals(0L));
            assertThat(keyhold.run("release", "x", "--token", token).exitCode()).isZero();
            console.close();
        }
    }
}
