package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What is read quickly is read as picocli reads it, or left to it. */
final class QuickRunTest {

    private static final Map<Class<?>, String> VALUES =
            Map.of(Duration.class, "7s", Integer.class, "7", String.class, "seven", List.class, "redis://a,redis://b");

    /** Every option that picocli knows, and those that need one another. */
    static Stream<List<String>> optionsOfRun() {
        List<List<String>> all = new ArrayList<>();
        for (OptionSpec option :
                new CommandLine(new RunCommand()).getCommandSpec().options()) {
            if (!option.usageHelp()) {
                for (String name : option.names()) {
                    all.add(
                            option.arity().max() == 0
                                    ? List.of(name)
                                    : List.of(name, VALUES.getOrDefault(option.type(), "none")));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("optionsOfRun")
    void asPicocliReadsIt(List<String> option) {
        List<String> apart = new ArrayList<>(List.of("key"));
        apart.addAll(option);
        apart.addAll(List.of("another", "--", "ls", "-l", "--", "--wait"));
        assertSame(apart);
        if (option.size() == 2) {
            assertSame(
                    List.of(option.get(0) + "=" + option.get(1), "key", "another", "--", "ls", "-l", "--", "--wait"));
        }
    }

    private static void assertSame(List<String> arguments) {
        RunCommand expected = new RunCommand();
        new CommandLine(expected).setExpandAtFiles(false).parseArgs(arguments.toArray(new String[0]));
        QuickRun quick = QuickRun.read(arguments).orElseThrow();
        assertThat(quick.options())
                .usingRecursiveComparison()
                .ignoringFields("spec", "words")
                .isEqualTo(expected);
        assertThat(quick.keys()).containsExactly("key", "another");
        assertThat(quick.command()).containsExactly("ls", "-l", "--", "--wait");
    }

    @Test
    void everyOptionOfTheSpecIsThere() {
        assertThat(optionsOfRun().map(option -> option.get(0)))
                .contains("--wait", "--redis", "--on-lost", "--verbose", "--admit-fresh-nodes", "--longest-lease")
                .hasSizeGreaterThan(13);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "key",
                "key --help -- ls",
                "key --no-wait=false -- ls",
                "key --wait",
                "key --wait -- ls",
                "key --wait 7 -- ls",
                "key --wait= -- ls",
                "key --of many -- ls",
                "key --wait 7s --wait 8s -- ls",
                "key --unknown -- ls",
                "-x key -- ls"
            })
    void whatIsNotPlainIsLeftToPicocli(String line) {
        assertThat(QuickRun.read(line.isEmpty() ? List.of() : List.of(line.split(" ", -1))))
                .isEmpty();
    }
}
