package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command says of itself, and to somebody who mistypes. */
@EndToEnd
final class UsageTest {

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void inItsOwnFolder() {
        keyhold = Launcher.in(home);
    }

    @Test
    void version() {
        Launcher.Result result = keyhold.run("--version");
        assertThat(result)
                .isEqualTo(new Launcher.Result(0, "keyhold " + System.getProperty("keyhold.version") + "\n", ""));
    }

    @Test
    void helpShowsEveryCommandWithoutColours() {
        Launcher.Result result = keyhold.run("--help");
        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.output()).contains(Commands.all().keySet()).doesNotContain("\u001b");
        assertThat(result.error()).isEmpty();
    }

    @Test
    void wrongUseIsOneLineAndSixtyFour() {
        assertThat(keyhold.bash("\"$KEYHOLD\"; echo $?; \"$KEYHOLD\" nonsense; echo $?; \"$KEYHOLD\" run; echo $?"))
                .satisfies(result -> assertThat(result.output()).isEqualTo("64\n64\n64\n"))
                .satisfies(result -> assertThat(result.error().lines())
                        .hasSize(3)
                        .allMatch(line -> line.startsWith("keyhold: ") && line.contains("--help")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rnu x                  | there is no command 'rnu' (keyhold --help shows how)",
                "relase x               | there is no command 'relase': did you mean 'release'? (keyhold --help shows how)",
                "---                    | Unknown option: '---' (keyhold --help shows how)",
                "embedded stauts        | there is no command 'stauts': did you mean 'status'? (keyhold embedded --help"
                        + " shows how)",
                "run x true             | put -- before the command: keyhold run KEY... [OPTIONS] -- COMMAND...",
                "run x                  | a command is missing: keyhold run KEY... [OPTIONS] -- COMMAND...",
                "run x ls -l            | Unknown option: '-l'; put -- before the command (keyhold run --help shows how)",
                "run x -l -- ls         | Unknown option: '-l' (keyhold run --help shows how)",
            })
    void mistyped(String line, String said) {
        assertThat(keyhold.run(line.split(" ", -1)))
                .isEqualTo(new Launcher.Result(ExitCode.USAGE, "", "keyhold: " + said + "\n"));
    }
}
