package io.keyhold.benchmarks;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Shape;
import io.keyhold.benchmarks.shape.Shapes;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the command line. What is wrong is an {@link IllegalArgumentException} that names the value and the rule. */
final class ArgumentParser {
    private static final Effort FULL = new Effort(5, Duration.ofSeconds(2), Duration.ofSeconds(2));
    private static final Effort QUICK = new Effort(2, Duration.ofMillis(300), Duration.ofMillis(300));

    private Arguments.Task task = Arguments.Task.COMPARE;
    private final Set<Shape> shapes = new LinkedHashSet<>();
    private final Set<Entrant> entrants = new LinkedHashSet<>();
    private boolean quick;
    private Optional<Integer> rounds = Optional.empty();
    private Optional<Duration> measured = Optional.empty();
    private Optional<String> redis = Optional.empty();
    private Path output = Path.of("target", "benchmark");

    private ArgumentParser() {}

    static Arguments parse(String... words) {
        ArgumentParser parser = new ArgumentParser();
        Iterator<String> rest = Arrays.asList(words).iterator();
        while (rest.hasNext()) {
            parser.take(rest.next(), rest);
        }
        return parser.arguments();
    }

    private void take(String word, Iterator<String> rest) {
        switch (word) {
            case "--help" -> task = Arguments.Task.HELP;
            case "--jmh" -> task = Arguments.Task.JMH;
            case "--quick" -> quick = true;
            case "--rounds" -> rounds = Optional.of(rounds(value(word, rest)));
            case "--seconds" -> measured = Optional.of(seconds(value(word, rest)));
            case "--shapes" -> list(value(word, rest)).forEach(id -> shapes.add(Shapes.of(id)));
            case "--contenders" -> list(value(word, rest)).forEach(id -> entrants.add(Entrant.of(id)));
            case "--redis" -> redis = Optional.of(uri(value(word, rest)));
            case "--output" -> output = Path.of(value(word, rest));
            default -> {
                if (word.startsWith("-")) {
                    throw new IllegalArgumentException("option \"" + word + "\": there is no such option");
                }
                shapes.add(Shapes.of(word));
            }
        }
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException("option \"" + option + "\": needs a value");
        }
        return rest.next();
    }

    private static List<String> list(String value) {
        return Arrays.asList(value.split(",", -1));
    }

    private static int rounds(String value) {
        String rule = "--rounds " + value + ": must be a whole number from 1 to 100";
        try {
            int rounds = Integer.parseInt(value);
            if (rounds >= 1 && rounds <= 100) {
                return rounds;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(rule, e);
        }
        throw new IllegalArgumentException(rule);
    }

    private static Duration seconds(String value) {
        String rule = "--seconds " + value + ": must be a number from 0.1 to 600";
        try {
            double seconds = Double.parseDouble(value);
            if (seconds >= 0.1 && seconds <= 600) {
                return Duration.ofMillis(Math.round(seconds * 1000));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(rule, e);
        }
        throw new IllegalArgumentException(rule);
    }

    /** No password, no database, no TLS: the contenders spell these differently, and none of them is measured here. */
    private static String uri(String value) {
        if (!value.matches("redis://[^/?#@\\s]+") || URI.create(value).getHost() == null) {
            throw new IllegalArgumentException("--redis " + value + ": must be redis://host or redis://host:port");
        }
        return value;
    }

    private Arguments arguments() {
        Effort preset = quick ? QUICK : FULL;
        Duration time = measured.orElse(preset.measured());
        Duration warmUp = time.compareTo(preset.warmUp()) < 0 ? time : preset.warmUp();
        return new Arguments(
                task,
                shapes.isEmpty() ? Shapes.all() : inOrder(Shapes.all(), shapes),
                entrants.isEmpty() ? List.of(Entrant.values()) : inOrder(List.of(Entrant.values()), entrants),
                new Effort(rounds.orElse(preset.rounds()), time, warmUp),
                redis,
                output);
    }

    private static <T> List<T> inOrder(List<T> all, Set<T> chosen) {
        List<T> ordered = new ArrayList<>(all);
        ordered.retainAll(chosen);
        return ordered;
    }
}
