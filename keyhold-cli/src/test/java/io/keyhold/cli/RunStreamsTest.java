package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The streams and the environment of the command. */
@EndToEnd
final class RunStreamsTest {

    private static final int TEN_MEGABYTES = 10_000_000;

    @TempDir
    private Path home = Path.of("");

    @Test
    void streamsAndEnvironmentOfTheCommand() throws IOException {
        byte[] bytes = new byte[TEN_MEGABYTES];
        new Random(1).nextBytes(bytes);
        Path input = Files.write(home.resolve("input"), bytes);
        Path copy = home.resolve("copy");
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            Launcher.Result result = keyhold.start(
                            input,
                            "run",
                            "two",
                            "one",
                            "--label",
                            "copier",
                            "--",
                            "sh",
                            "-c",
                            "cat >\"$0\"; echo \"$KEYHOLD_KEY|$KEYHOLD_TOKEN|$KEYHOLD_FENCE|$1\"; echo oops >&2",
                            copy.toString(),
                            "a  b*\n\"c")
                    .result();

            assertThat(result.exitCode()).isZero();
            assertThat(copy).hasBinaryContent(bytes);
            assertThat(result.output()).matches("two one\\|copier@[^|]+\\|[0-9]+\\|a  b\\*\n\"c\n");
            assertThat(result.error()).isEqualTo("oops\n");
        }
    }

    /** Bash exports what a script assigns to a variable that its caller has exported. */
    @Test
    void commandInheritsVariablesOfTheCaller() throws IOException {
        Set<String> names = new TreeSet<>(Set.of("command", "found", "line", "message", "status", "value"));
        Matcher assigned = Pattern.compile("(?m)(?:^|[\\s;(])([a-z_]+)\\+?=")
                .matcher(Files.readString(Path.of(System.getProperty("keyhold.root", ""), "keyhold")));
        while (assigned.find()) {
            names.add(assigned.group(1));
        }
        names.removeIf(name -> name.startsWith("kh_"));
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            names.forEach(name -> keyhold.with(name, "mine"));
            Launcher.Result result = keyhold.run("run", "x", "--", "env");
            assertThat(result.exitCode()).as(result.error()).isZero();
            assertThat(result.output().lines())
                    .containsAll(names.stream().map(name -> name + "=mine").toList())
                    .noneMatch(line -> line.startsWith("kh_"));
        }
    }

    @Test
    void commandInheritsDescriptors() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            assertThat(Launcher.in(home)
                            .on(server.uri())
                            .bash(
                                    "for each in 3 4 5 6 7 8 9; do eval \"exec $each>&1\"; done; \"$KEYHOLD\" run x -- bash -c"
                                            + " 'for each in 3 4 5 6 7 8 9; do echo $each >&$each; done'"))
                    .isEqualTo(new Launcher.Result(0, "3\n4\n5\n6\n7\n8\n9\n", ""));
        }
    }

    @ParameterizedTest
    @CsvSource({"<&-, out, err", ">&-, '', err", "2>&-, out, ''", "<&- >&- 2>&-, '', ''"})
    void closedStreams(String closed, String output, String error) {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Result result = Launcher.in(home)
                    .on(server.uri())
                    .bash("\"$KEYHOLD\" run x -- sh -c 'cat; echo err >&2; echo out; exit 5' " + closed);
            assertThat(result.exitCode()).as(result.error()).isEqualTo(5);
            assertThat(result.output().strip()).isEqualTo(output);
            assertThat(result.error().strip()).isEqualTo(error);
        }
    }
}
