package io.keyhold.benchmarks;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Shape;
import io.keyhold.benchmarks.shape.Shapes;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The command line. */
@Command(
        name = "./benchmark",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Compares Keyhold with other distributed locks on Redis; see docs/benchmarks.md.")
final class Arguments {
    /** With less, the JVM compiles while the rounds are measured: its compilers share two busy cores with everything else. */
    private static final Effort FULL = new Effort(5, Duration.ofSeconds(2), Duration.ofSeconds(10));

    /** The warm-up is at most as long as this many rounds. */
    private static final int WARM_UP_ROUNDS = 5;

    private static final Effort QUICK = new Effort(2, Duration.ofMillis(300), Duration.ofMillis(300));

    @Option(
            names = "--quick",
            description = "A few short rounds, about 8 minutes in all: shows that it works; do not quote the results.")
    private boolean quick;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            converter = RoundsConverter.class,
            description = "Measured rounds of each contender in each shape, 1 to 100 (default: 5).")
    private @Nullable Integer rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            converter = SecondsConverter.class,
            description = "Length of a round in seconds, 0.1 to 600 (default: 2).")
    private @Nullable Duration measured;

    @Option(
            names = "--contenders",
            paramLabel = "CONTENDER",
            split = ",",
            converter = ContenderConverter.class,
            description = "Measures only these contenders (default: all).")
    private List<Contender> contenders = new ArrayList<>();

    @Option(
            names = "--redis",
            paramLabel = "URI",
            converter = UriConverter.class,
            description = "Uses this server, as redis://host:port (default: starts its own).")
    private @Nullable String redis;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Writes results.md and results.json here (default: target/benchmark).")
    private Path output = Path.of("target", "benchmark");

    @Option(names = "--jmh", description = "Runs the JMH benchmarks inside one JVM instead, without a server.")
    private boolean jmh;

    @Option(
            names = "--failovers",
            paramLabel = "N",
            converter = FailoversConverter.class,
            description =
                    "Runs this many failovers with Sentinel instead, 1 to 100, with Keyhold, durable and not, and"
                            + " Redisson, and counts how often two clients hold the lock at once. Takes half a minute for each.")
    private @Nullable Integer failovers;

    @Option(names = "--help", usageHelp = true, description = "Prints this text.")
    private boolean help;

    @Parameters(
            paramLabel = "SHAPE",
            arity = "0..*",
            description = "Runs only these shapes (default: all). renewal-N takes any number of leases.")
    private List<String> shapeIds = new ArrayList<>();

    private List<Shape> shapes = List.of();

    /** Parses the words. Throws a {@link CommandLine.ParameterException} that names the bad value and the rule. */
    static Arguments parse(String... words) {
        Arguments arguments = new Arguments();
        CommandLine commandLine = new CommandLine(arguments);
        commandLine.parseArgs(words);
        try {
            // Not by a converter: picocli reports the words that it refuses as unmatched.
            arguments.shapes =
                    arguments.shapeIds.stream().distinct().map(Shapes::of).toList();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(commandLine, e.getMessage(), e);
        }
        return arguments;
    }

    boolean isHelp() {
        return help;
    }

    boolean isJmh() {
        return jmh;
    }

    /** Returns how many failovers to run, if they are to be run instead. */
    Optional<Integer> failovers() {
        return Optional.ofNullable(failovers);
    }

    List<Shape> shapes() {
        return shapes.isEmpty() ? Shapes.all(quick) : shapes;
    }

    /** Returns the contenders in the order of the tables. */
    List<Contender> contenders() {
        return contenders.isEmpty()
                ? List.of(Contender.values())
                : contenders.stream().distinct().sorted().toList();
    }

    Effort effort() {
        Effort preset = quick ? QUICK : FULL;
        Duration time = measured == null ? preset.measured() : measured;
        Duration longest = time.multipliedBy(WARM_UP_ROUNDS);
        Duration warmUp = longest.compareTo(preset.warmUp()) < 0 ? longest : preset.warmUp();
        return new Effort(rounds == null ? preset.rounds() : rounds, time, warmUp);
    }

    /** Returns the server to use instead of starting one. */
    Optional<String> redis() {
        return Optional.ofNullable(redis);
    }

    Path output() {
        return output;
    }

    /** Returns why this contender does not take part in this shape, if it does not. */
    Optional<String> exclusion(Shape shape, Contender contender) {
        if (redis != null && shape.replicated()) {
            return Optional.of("needs a server with replicas that is started here, and --redis names another");
        }
        return shape.servers() > 1 && redis != null
                ? Optional.of("needs " + shape.servers() + " servers, and --redis names one")
                : shape.exclusion(contender);
    }

    private static final class RoundsConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return upToHundred("--rounds", text);
        }
    }

    private static final class FailoversConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return upToHundred("--failovers", text);
        }
    }

    private static Integer upToHundred(String option, String text) {
        if (text.matches("[1-9][0-9]?|100")) {
            return Integer.valueOf(text);
        }
        throw new TypeConversionException(option + " must be a whole number from 1 to 100, was '" + text + "'");
    }

    private static final class SecondsConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (text.matches("[0-9]{1,3}(\\.[0-9]+)?")) {
                long millis = Math.round(Double.parseDouble(text) * 1000);
                if (millis >= 100 && millis <= 600_000) {
                    return Duration.ofMillis(millis);
                }
            }
            throw new TypeConversionException("--seconds must be a number from 0.1 to 600, was '" + text + "'");
        }
    }

    private static final class ContenderConverter implements ITypeConverter<Contender> {
        @Override
        public Contender convert(String text) {
            try {
                return Contender.of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Refuses passwords, databases and TLS: the contenders spell these differently, and none of them is measured here. */
    private static final class UriConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (text.matches("redis://[^/?#@\\s]+") && URI.create(text).getHost() != null) {
                return text;
            }
            throw new TypeConversionException("--redis must be redis://host or redis://host:port, was '" + text + "'");
        }
    }
}
