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

/** The fast parser agrees with picocli, or leaves the arguments to it. */
final class FastRunParserTest {

    private static final Map<Class<?>, String> VALUES =
            Map.of(Duration.class, "7s", Integer.class, "7", String.class, "seven", List.class, "redis://a,redis://b");

    /** Every option of the command, with a value if it needs one. */
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
    void agreesWithPicocli(List<String> option) {
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
        FastRunParser parsed = FastRunParser.parse(arguments).orElseThrow();
        assertThat(parsed.options())
                .usingRecursiveComparison()
                .ignoringFields("spec", "parameters")
                .isEqualTo(expected);
        assertThat(parsed.keys()).containsExactly("key", "another");
        assertThat(parsed.command()).containsExactly("ls", "-l", "--", "--wait");
    }

    @Test
    void coversEveryOption() {
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
    void leavesOtherArgumentsToPicocli(String line) {
        assertThat(FastRunParser.parse(line.isEmpty() ? List.of() : List.of(line.split(" ", -1))))
                .isEmpty();
    }
}
