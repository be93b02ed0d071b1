package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.shape.Shape;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What came out of one shape.
 *
 * @param figures who took part, in the order of the tables
 * @param absent who did not, and why
 */
public record ShapeResult(Shape shape, Map<Entrant, Figures> figures, Map<Entrant, String> absent) {

    /** What the others are compared with: the faster one, where Redisson has two kinds of what is measured. */
    public Optional<Entrant> yardstick() {
        Set<Entrant> kinds = yardsticks(shape.primitive());
        return figures.keySet().stream()
                .filter(kinds::contains)
                .max(Comparator.comparingDouble(
                        entrant -> value(entrant) * (shape.metric().higherIsBetter() ? 1 : -1)));
    }

    /** Redisson's kinds of this. */
    static Set<Entrant> yardsticks(Primitive primitive) {
        return switch (primitive) {
            case LOCK -> EnumSet.of(Entrant.REDISSON);
            case SEMAPHORE -> EnumSet.of(Entrant.REDISSON_SEMAPHORE, Entrant.REDISSON_EXPIRABLE);
            case READ_WRITE -> EnumSet.of(Entrant.REDISSON_READ_WRITE);
            case ALL_OF -> EnumSet.of(Entrant.REDISSON_MULTI);
            case QUORUM_LOCK -> EnumSet.of(Entrant.REDISSON_MULTI, Entrant.REDISSON_RED_LOCK);
        };
    }

    /** How many times as much as the yardstick, if both took part. */
    public OptionalDouble toYardstick(Entrant entrant) {
        return yardstick().map(other -> ratio(entrant, other)).orElse(OptionalDouble.empty());
    }

    private double value(Entrant entrant) {
        Figures own = figures.get(entrant);
        return own == null ? 0 : own.value();
    }

    /** How many times as much as another, if both took part. More is better or worse, as the metric has it. */
    public OptionalDouble ratio(Entrant one, Entrant other) {
        Figures upper = figures.get(one);
        Figures lower = figures.get(other);
        return upper == null || lower == null || lower.value() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(upper.value() / lower.value());
    }
}
