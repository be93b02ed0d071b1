package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The lock under which the launcher builds what it runs: a link to the process that has it. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class LauncherLockTest {

    /** The functions of the launcher, and a lock that somebody has left who is dead. */
    private static final String LEFT_BEHIND = """
            eval "$(sed -n '/^take()/,/^}/p; /^is_dead()/,/^}/p; /^leave()/,/^}/p' "$KEYHOLD")"
            cd "$KEYHOLD_HOME"
            dead=$(bash -c 'echo $$')
            ln -s "$dead" lock
            """;

    @TempDir
    private Path home = Path.of("");

    private Launcher.Result bash(String script) {
        return Launcher.in(home).bash(LEFT_BEHIND + script);
    }

    @Test
    void oneThatWasLeftBehindIsTaken() {
        assertThat(bash("""
                        take lock or-leave && [ "$(readlink lock)" = $$ ] && echo mine
                        (take lock or-leave) || echo busy
                        leave lock
                        echo lock*
                        """)).isEqualTo(new Launcher.Result(0, "mine\nbusy\nlock*\n", ""));
    }

    @Test
    void soIsOneOfSomebodyWhoDiedWhileRemovingIt() {
        assertThat(bash("""
                        ln -s "$(bash -c 'echo $$')" "lock.$dead"
                        take lock or-leave && echo lock*
                        """)).isEqualTo(new Launcher.Result(0, "lock\n", ""));
    }

    /** Two find the same dead one. The first gets the lock while the other has only read whose it was. */
    @Test
    void whoIsSecondToFindItLeavesTheFirstOnesAlone() {
        assertThat(bash("""
                        mkfifo read go
                        (
                          readlink() {
                            command readlink "$@"
                            if mkdir asked 2>/dev/null; then echo >read; cat go >/dev/null; fi
                          }
                          take lock or-leave && echo "two have it"
                        ) &
                        cat read >/dev/null
                        take lock or-leave && echo taken
                        echo >go
                        wait $!
                        [ "$(readlink lock)" = $$ ] && echo "still mine"
                        """)).isEqualTo(new Launcher.Result(0, "taken\nstill mine\n", ""));
    }
}
