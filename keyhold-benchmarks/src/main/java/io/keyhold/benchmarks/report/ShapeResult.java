package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.shape.Shape;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What came out of one shape.
 *
 * @param figures who took part, in the order of the tables
 * @param absent who did not, and why
 */
public record ShapeResult(Shape shape, Map<Entrant, Figures> figures, Map<Entrant, String> absent) {

    /** How many times as much as another, if both took part. More is better or worse, as the metric has it. */
    public OptionalDouble ratio(Entrant one, Entrant other) {
        Figures upper = figures.get(one);
        Figures lower = figures.get(other);
        return upper == null || lower == null || lower.value() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(upper.value() / lower.value());
    }
}
