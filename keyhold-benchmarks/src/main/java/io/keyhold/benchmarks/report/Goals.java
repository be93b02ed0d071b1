package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.shape.Shapes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** What Keyhold wants to reach, held against what was measured. */
public final class Goals {
    private static final double SHARE_OF_THE_FLOOR = 0.85;
    private static final double UNCONTENDED_GAIN = 2;
    private static final double BATCHED_GAIN = 50;
    private static final double STRICT_GAIN = 4;
    private static final double STRICT_GAIN_OVER_FAIR = 8;
    private static final double COMMANDS_PER_HOLD = 11;
    private static final double SHARED_GAIN = 4;
    private static final double THREE_KEYS_GAIN = 3;
    private static final double QUORUM_GAIN = 3;
    private static final double SLOWDOWN = 1.2;

    private final List<ShapeResult> results;
    private final List<Goal> goals = new ArrayList<>();

    private Goals(List<ShapeResult> results) {
        this.results = results;
    }

    /** All of them. */
    public static List<Goal> evaluate(List<ShapeResult> results) {
        Goals goals = new Goals(results);
        for (String shape : List.of("own-1", "own-32")) {
            goals.atLeast(shape, Entrant.KEYHOLD_JEDIS, Entrant.RAW_JEDIS, SHARE_OF_THE_FLOOR);
            goals.atLeast(shape, Entrant.KEYHOLD_JEDIS, Entrant.REDISSON, UNCONTENDED_GAIN);
        }
        for (String shape : List.of("one-key-8", "one-key-4x3")) {
            goals.atLeast(shape, Entrant.KEYHOLD_JEDIS, Entrant.REDISSON, BATCHED_GAIN);
            goals.atLeast(shape, Entrant.KEYHOLD_JEDIS_STRICT, Entrant.REDISSON, STRICT_GAIN);
            goals.atLeast(shape, Entrant.KEYHOLD_JEDIS_STRICT, Entrant.REDISSON_FAIR, STRICT_GAIN_OVER_FAIR);
        }
        for (String shape : List.of("one-key-4x3", "waiters-200")) {
            goals.commandsPerHoldAtMost(shape, Entrant.KEYHOLD_JEDIS_STRICT, COMMANDS_PER_HOLD);
        }
        for (String shape : List.of("semaphore-4x3", "read-90-4x3", "read-50-4x3")) {
            goals.atLeastTheBest(shape, SHARED_GAIN);
        }
        for (String shape : List.of("three-keys-1", "three-keys-8")) {
            goals.atLeastTheBest(shape, THREE_KEYS_GAIN);
        }
        for (String shape : List.of("quorum-own-1", "quorum-4x3")) {
            goals.atLeastTheBest(shape, QUORUM_GAIN);
        }
        for (Entrant entrant : List.of(Entrant.KEYHOLD_JEDIS, Entrant.KEYHOLD_LETTUCE)) {
            goals.slowdownAtMost("quorum-one-stopped", entrant, SLOWDOWN);
        }
        return List.copyOf(goals.goals);
    }

    private void atLeast(String shape, Entrant one, Entrant other, double least) {
        String text = shape + ": " + one.title() + " at least " + Texts.ratio(least) + " " + other.title();
        OptionalDouble ratio =
                result(shape).map(result -> result.ratio(one, other)).orElse(OptionalDouble.empty());
        if (ratio.isEmpty()) {
            goals.add(new Goal(text, Goal.Verdict.NOT_MEASURED, ""));
        } else {
            goals.add(new Goal(text, verdict(ratio.getAsDouble() >= least), Texts.ratio(ratio.getAsDouble())));
        }
    }

    /** Against the better one, where Redisson has two kinds; if only one ran, nothing is known of the better. */
    private void atLeastTheBest(String shape, double least) {
        Set<Entrant> kinds = ShapeResult.yardsticks(Shapes.of(shape).primitive());
        String text = shape + ": " + Entrant.KEYHOLD_JEDIS.title() + " at least " + Texts.ratio(least) + " "
                + kinds.stream().map(Entrant::title).collect(Collectors.joining(" and "));
        Optional<ShapeResult> complete =
                result(shape).filter(result -> result.figures().keySet().containsAll(kinds));
        OptionalDouble ratio = complete.map(result -> result.toYardstick(Entrant.KEYHOLD_JEDIS))
                .orElse(OptionalDouble.empty());
        if (ratio.isEmpty()) {
            goals.add(new Goal(text, Goal.Verdict.NOT_MEASURED, ""));
        } else {
            String best = complete.flatMap(ShapeResult::yardstick)
                    .map(Entrant::title)
                    .filter(title -> kinds.size() > 1)
                    .map(title -> " " + title)
                    .orElse("");
            double value = ratio.getAsDouble();
            goals.add(new Goal(text, verdict(value >= least), Texts.ratio(value) + best));
        }
    }

    private void commandsPerHoldAtMost(String shape, Entrant entrant, double most) {
        String text = shape + ": " + entrant.title() + " at most " + Texts.number(most) + " commands per hold";
        Optional<Figures> figures = figures(shape, entrant);
        if (figures.isEmpty()) {
            goals.add(new Goal(text, Goal.Verdict.NOT_MEASURED, ""));
        } else {
            double commands = figures.get().commandsPerHold();
            goals.add(new Goal(text, verdict(commands <= most), Texts.number(commands)));
        }
    }

    private void slowdownAtMost(String shape, Entrant entrant, double most) {
        String text = shape + ": " + entrant.title() + " at most " + Texts.ratio(most) + " the time with all up";
        Optional<Figures> figures = figures(shape, entrant);
        if (figures.isEmpty()) {
            goals.add(new Goal(text, Goal.Verdict.NOT_MEASURED, ""));
        } else {
            double slowdown = figures.get().value();
            goals.add(new Goal(text, verdict(slowdown <= most), Texts.ratio(slowdown)));
        }
    }

    private static Goal.Verdict verdict(boolean met) {
        return met ? Goal.Verdict.MET : Goal.Verdict.MISSED;
    }

    private Optional<Figures> figures(String shape, Entrant entrant) {
        return result(shape)
                .flatMap(result -> Optional.ofNullable(result.figures().get(entrant)));
    }

    private Optional<ShapeResult> result(String shape) {
        return results.stream()
                .filter(result -> result.shape().id().equals(shape))
                .findFirst();
    }
}
