package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Footprint;
import io.keyhold.benchmarks.shape.Shapes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The goals of Keyhold, compared with the results. */
public final class Goals {
    private static final double SHARE_OF_THE_FLOOR = 0.75;
    private static final double UNCONTENDED_GAIN = 2;
    private static final double BATCHED_GAIN = 50;
    private static final double STRICT_GAIN = 4;
    private static final double STRICT_GAIN_OVER_FAIR = 8;
    private static final double STRICT_GAIN_OF_PROCESSES = 6;
    private static final double STRICT_GAIN_OF_PROCESSES_OVER_FAIR = 10;
    private static final double COMMANDS_PER_HOLD = 11;
    private static final double SHARED_GAIN = 4;
    private static final double THREE_KEYS_GAIN = 3;
    private static final double QUORUM_GAIN = 4;
    private static final double SLOWDOWN = 1.2;
    private static final double RENEWAL_CORES = 0.05;
    private static final double HEAP_PER_LEASE = 1_500;

    private final List<ShapeResult> results;
    private final List<Goal> goals = new ArrayList<>();

    private Goals(List<ShapeResult> results) {
        this.results = results;
    }

    /** Evaluates all goals. */
    public static List<Goal> evaluate(List<ShapeResult> results) {
        Goals goals = new Goals(results);
        for (String shape : List.of("own-1", "own-8", "own-32")) {
            goals.atLeast(shape, Contender.KEYHOLD_JEDIS, Contender.RAW_JEDIS, SHARE_OF_THE_FLOOR);
            goals.atLeast(shape, Contender.KEYHOLD_JEDIS, Contender.REDISSON, UNCONTENDED_GAIN);
        }
        for (String shape : List.of("one-key-8", "one-key-4x3")) {
            goals.atLeast(shape, Contender.KEYHOLD_JEDIS, Contender.REDISSON, BATCHED_GAIN);
        }
        goals.strict("one-key-8", STRICT_GAIN, STRICT_GAIN_OVER_FAIR);
        goals.strict("one-key-4x3", STRICT_GAIN_OF_PROCESSES, STRICT_GAIN_OF_PROCESSES_OVER_FAIR);
        for (String shape : List.of("one-key-4x3", "waiters-200")) {
            goals.atMost(
                    shape,
                    Contender.KEYHOLD_JEDIS_STRICT,
                    COMMANDS_PER_HOLD,
                    "commands per hold",
                    Numbers::number,
                    Figures::commandsPerHold);
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
        for (Contender contender : List.of(Contender.KEYHOLD_JEDIS, Contender.KEYHOLD_LETTUCE)) {
            goals.atMost(
                    "quorum-one-stopped", contender, SLOWDOWN, "the time with all up", Numbers::ratio, Figures::value);
            goals.renewal("renewal-100000", contender);
        }
        return List.copyOf(goals.goals);
    }

    private void strict(String shape, double overLock, double overFairLock) {
        atLeast(shape, Contender.KEYHOLD_JEDIS_STRICT, Contender.REDISSON, overLock);
        atLeast(shape, Contender.KEYHOLD_JEDIS_STRICT, Contender.REDISSON_FAIR, overFairLock);
    }

    private void atLeast(String shape, Contender one, Contender other, double least) {
        String text = shape + ": " + one.title() + " at least " + Numbers.ratio(least) + " " + other.title();
        OptionalDouble ratio =
                result(shape).map(result -> result.ratio(one, other)).orElse(OptionalDouble.empty());
        if (ratio.isEmpty()) {
            goals.add(new Goal(text, Goal.Verdict.NOT_MEASURED, ""));
        } else {
            goals.add(new Goal(text, verdict(ratio.getAsDouble() >= least), Numbers.ratio(ratio.getAsDouble())));
        }
    }

    /** Compares with the better one, where Redisson has two kinds; both must have run. */
    private void atLeastTheBest(String shape, double least) {
        Set<Contender> kinds = ShapeResult.yardsticks(Shapes.of(shape).primitive());
        String text = shape + ": " + Contender.KEYHOLD_JEDIS.title() + " at least " + Numbers.ratio(least) + " "
                + kinds.stream().map(Contender::title).collect(Collectors.joining(" and "));
        Optional<ShapeResult> complete =
                result(shape).filter(result -> result.figures().keySet().containsAll(kinds));
        OptionalDouble ratio = complete.map(result -> result.toYardstick(Contender.KEYHOLD_JEDIS))
                .orElse(OptionalDouble.empty());
        if (ratio.isEmpty()) {
            goals.add(new Goal(text, Goal.Verdict.NOT_MEASURED, ""));
        } else {
            String best = complete.flatMap(ShapeResult::yardstick)
                    .map(Contender::title)
                    .filter(title -> kinds.size() > 1)
                    .map(title -> " " + title)
                    .orElse("");
            double value = ratio.getAsDouble();
            goals.add(new Goal(text, verdict(value >= least), Numbers.ratio(value) + best));
        }
    }

    private void renewal(String shape, Contender contender) {
        atMost(shape, contender, 0, "leases lost", Numbers::number, figures -> (double) figures.faults());
        atMost(
                shape,
                contender,
                RENEWAL_CORES,
                "of a core",
                Numbers::percent,
                figures -> footprint(figures).cores());
        atMost(
                shape,
                contender,
                HEAP_PER_LEASE,
                "of heap per lease",
                Numbers::bytes,
                figures -> footprint(figures).heapPerLease());
    }

    private static Footprint footprint(Figures figures) {
        return figures.footprint().orElse(new Footprint(Double.NaN, Double.NaN));
    }

    private void atMost(
            String shape,
            Contender contender,
            double most,
            String unit,
            DoubleFunction<String> format,
            ToDoubleFunction<Figures> value) {
        String text = shape + ": " + contender.title() + " at most " + format.apply(most) + " " + unit;
        Optional<Figures> figures = figures(shape, contender);
        if (figures.isEmpty()) {
            goals.add(new Goal(text, Goal.Verdict.NOT_MEASURED, ""));
        } else {
            double measured = value.applyAsDouble(figures.get());
            goals.add(new Goal(text, verdict(measured <= most), format.apply(measured)));
        }
    }

    private static Goal.Verdict verdict(boolean met) {
        return met ? Goal.Verdict.MET : Goal.Verdict.MISSED;
    }

    private Optional<Figures> figures(String shape, Contender contender) {
        return result(shape)
                .flatMap(result -> Optional.ofNullable(result.figures().get(contender)));
    }

    private Optional<ShapeResult> result(String shape) {
        return results.stream()
                .filter(result -> result.shape().id().equals(shape))
                .findFirst();
    }
}
