package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class CompletionTest {

    /** Calls bash's completion as the tab key does. */
    private static final String COMPLETE = """
            set -e
            source <("$KEYHOLD" completion bash)
            complete -p keyhold >/dev/null
            compopt() { :; } # Exists only during a real completion.
            tab() {
              COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
              _complete_keyhold keyhold "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" || true
              echo "${COMPREPLY[*]}"
            }
            tab keyhold d
            tab keyhold ls --w
            tab keyhold completion ''
            """;

    @Test
    void bashCompletesCommandsAndOptions(@TempDir Path home) {
        Launcher.Result result = Launcher.in(home).bash(COMPLETE);
        assertThat(result.error()).isEmpty();
        assertThat(result.output().replace('\n', ' ')).isEqualTo("doctor --watch bash zsh fish ");
    }

    @Test
    void unknownShellIsRefused(@TempDir Path home) {
        Launcher.Result result = Launcher.in(home).run("completion", "tcsh");
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.error()).contains("tcsh").contains("bash, zsh, fish");
    }
}
