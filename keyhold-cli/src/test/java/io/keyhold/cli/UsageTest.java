package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Version, help, and errors of the command line. */
@EndToEnd
@Tag("full")
final class UsageTest {

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void connect() {
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
        assertThat(result.output()).contains(RootCommand.NAMES).doesNotContain("\u001b");
        assertThat(result.error()).isEmpty();
    }

    @Test
    void usageErrorIsOneLineAndExitCode64() {
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
                "rnu x                  | unknown command 'rnu' (keyhold --help shows the usage)",
                "relase x               | unknown command 'relase': did you mean 'release'? (keyhold --help shows the usage)",
                "---                    | Unknown option: '---' (keyhold --help shows the usage)",
                "embedded stauts        | unknown command 'stauts': did you mean 'status'? (keyhold embedded --help"
                        + " shows the usage)",
                "run x                  | missing command: keyhold run KEY... [OPTIONS] [--] COMMAND...",
                "run x -c true -- true  | -c LINE is one argument, in place of COMMAND: keyhold run KEY... [OPTIONS] [--]"
                        + " COMMAND...",
                "run -- true            | missing key: keyhold run KEY... [OPTIONS] [--] COMMAND...",
                "elect a b -- true      | elect needs a single role, was given a, b",
                "run x --local --redis redis://a -- true | --local and --redis exclude each other",
                "run x -l -- ls         | Unknown option: '-l' (keyhold run --help shows the usage)",
            })
    void usageErrors(String line, String message) {
        assertThat(keyhold.run(line.split(" ", -1)))
                .isEqualTo(new Launcher.Result(ExitCode.USAGE, "", "keyhold: " + message + "\n"));
    }

    @Test
    void quorumOptionsAreInTheHelpOfCommandsThatUseThem() {
        assertThat(keyhold.run("run", "--help").output()).contains("--longest-lease", "--admit-fresh-nodes");
        assertThat(keyhold.run("ls", "--help").output()).contains("--redis").doesNotContain("--longest-lease");
        assertThat(keyhold.run("release", "--help").output()).doesNotContain("--admit-fresh-nodes");
    }
}
