package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The launcher's build lock: a symbolic link to the process id of its owner. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class LauncherLockTest {

    /** The functions of the launcher, and a lock whose owner is dead. */
    private static final String STALE_LOCK = """
            eval "$(sed -n '/^lock()/,/^}/p; /^is_dead()/,/^}/p; /^unlock()/,/^}/p' "$KEYHOLD")"
            cd "$KEYHOLD_HOME"
            dead=$(bash -c 'echo $$')
            ln -s "$dead" lock
            """;

    @TempDir
    private Path home = Path.of("");

    private Launcher.Result bash(String script) {
        return Launcher.in(home).bash(STALE_LOCK + script);
    }

    @Test
    void staleLockIsTaken() {
        assertThat(bash("""
                        lock lock try && [ "$(readlink lock)" = $$ ] && echo mine
                        (lock lock try) || echo busy
                        unlock lock
                        echo lock*
                        """)).isEqualTo(new Launcher.Result(0, "mine\nbusy\nlock*\n", ""));
    }

    @Test
    void staleLockOfARemovalIsTaken() {
        assertThat(bash("""
                        ln -s "$(bash -c 'echo $$')" "lock.$dead"
                        lock lock try && echo lock*
                        """)).isEqualTo(new Launcher.Result(0, "lock\n", ""));
    }

    /** Two processes find the same stale lock. One takes it after the other has read its owner. */
    @Test
    void newLockIsNotRemovedAsStale() {
        assertThat(bash("""
                        mkfifo read go
                        (
                          readlink() {
                            command readlink "$@"
                            if mkdir asked 2>/dev/null; then echo >read; cat go >/dev/null; fi
                          }
                          lock lock try && echo "two owners"
                        ) &
                        cat read >/dev/null
                        lock lock try && echo taken
                        echo >go
                        wait $!
                        [ "$(readlink lock)" = $$ ] && echo "still mine"
                        """)).isEqualTo(new Launcher.Result(0, "taken\nstill mine\n", ""));
    }
}
