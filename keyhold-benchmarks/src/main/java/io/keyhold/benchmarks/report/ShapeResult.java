package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.shape.Shape;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The results of one shape.
 *
 * @param figures by contender, in the order of the tables
 * @param absent why the other contenders did not take part
 */
public record ShapeResult(Shape shape, Map<Contender, Figures> figures, Map<Contender, String> absent) {

    /** Returns the contender that others are compared with: the better one, where Redisson has two. */
    public Optional<Contender> yardstick() {
        Set<Contender> kinds = yardsticks(shape.primitive());
        return figures.keySet().stream()
                .filter(kinds::contains)
                .max(Comparator.comparingDouble(
                        contender -> value(contender) * (shape.metric().higherIsBetter() ? 1 : -1)));
    }

    /** Returns Redisson's kinds of this primitive; for what grants cost that replicas acknowledge, Keyhold without that. */
    static Set<Contender> yardsticks(Primitive primitive) {
        return switch (primitive) {
            case LOCK -> EnumSet.of(Contender.REDISSON);
            case SEMAPHORE -> EnumSet.of(Contender.REDISSON_SEMAPHORE, Contender.REDISSON_EXPIRABLE);
            case READ_WRITE -> EnumSet.of(Contender.REDISSON_READ_WRITE);
            case ALL_OF -> EnumSet.of(Contender.REDISSON_MULTI);
            case REPLICATED_LOCK -> EnumSet.of(Contender.KEYHOLD_JEDIS);
            case QUORUM_LOCK -> EnumSet.of(Contender.REDISSON_MULTI, Contender.REDISSON_RED_LOCK);
        };
    }

    /** Returns the ratio to the yardstick, if both took part. */
    public OptionalDouble toYardstick(Contender contender) {
        return yardstick().map(other -> ratio(contender, other)).orElse(OptionalDouble.empty());
    }

    private double value(Contender contender) {
        Figures own = figures.get(contender);
        return own == null ? 0 : own.value();
    }

    /** Returns the ratio of two contenders, if both took part. The metric says whether a larger one is better. */
    public OptionalDouble ratio(Contender one, Contender other) {
        Figures upper = figures.get(one);
        Figures lower = figures.get(other);
        return upper == null || lower == null || lower.value() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(upper.value() / lower.value());
    }
}
