package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What is written in several places is the same in all of them. */
final class OptionListsTest {

    private static final Path LAUNCHER = Path.of("../keyhold");

    /** The launcher must find the subcommand behind them. Not -c, whose line it gives to a shell. */
    @Test
    void launcherKnowsOptionsWithValue() throws IOException {
        Set<String> withValue = RootCommand.NAMES.stream()
                .flatMap(name -> RootCommand.create(name).spec().options().stream())
                .filter(option -> option.arity().max() > 0)
                .map(OptionSpec::names)
                .flatMap(Stream::of)
                .filter(name -> !name.equals("-c"))
                .collect(Collectors.toSet());
        String list = Files.readString(LAUNCHER)
                .replace("\\\n", "")
                .lines()
                .filter(line -> line.contains("kh_skip=true"))
                .findFirst()
                .orElseThrow();
        String options = list.substring(0, list.indexOf(')')).replace(" ", "");
        assertThat(options.split("\\|", -1)).containsExactlyInAnyOrderElementsOf(withValue);
    }

    @Test
    void everyVariableIsInHelpManualPageAndDocumentation() throws IOException {
        Set<String> variables = new TreeSet<>(List.of("KEYHOLD_REDIS", "KEYHOLD_REDIS_SERVER", "HOSTNAME"));
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                variables.addAll(matches(Files.readString(source), "getenv\\(\"([A-Z_]+)\"\\)"));
            }
        }
        variables.addAll(matches(Files.readString(LAUNCHER), "\\$\\{([A-Z_]+):[-+]"));
        variables.removeAll(Set.of("BASHPID", "KEYHOLD_ELECT_AGAIN")); // Of bash, and of the launcher for itself.
        assertThat(variables).contains("KEYHOLD_HOME", "KEYHOLD_EMBEDDED_IDLE", "KEYHOLD_JAR", "SHELL", "TMPDIR");

        assertThat(new CommandLine(new RootCommand().spec()).getUsageMessage()).contains(variables);
        assertThat(Files.readString(Path.of("src/dist/keyhold.1"))).contains(variables);
        assertThat(Files.readString(Path.of("../docs/cli.md"))).contains(variables);
    }

    private static List<String> matches(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
