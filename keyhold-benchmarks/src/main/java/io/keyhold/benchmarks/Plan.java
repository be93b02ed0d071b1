package io.keyhold.benchmarks;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Shape;

/** Estimates how long each step takes. {@link Progress} corrects the estimate by the time that steps have taken. */
final class Plan {
    private static final double JVM_START = 0.4;
    private static final double RAMP_UP_AND_END = 0.25;

    private Plan() {}

    static double startSeconds(Shape shape, Effort effort) {
        return JVM_START * (1 + shape.jvms())
                + (shape.preparation().toMillis() + effort.warmUp().toMillis()) / 1e3;
    }

    static double roundSeconds(Shape shape, Effort effort) {
        return RAMP_UP_AND_END + effort.measured().toMillis() / 1e3;
    }

    static double seconds(Arguments arguments) {
        double seconds = 0;
        for (Shape shape : arguments.shapes()) {
            Effort effort = shape.effort(arguments.effort());
            for (Contender contender : arguments.contenders()) {
                if (contender.offers(shape.primitive())
                        && arguments.exclusion(shape, contender).isEmpty()) {
                    seconds += startSeconds(shape, effort) + effort.rounds() * roundSeconds(shape, effort);
                }
            }
        }
        return seconds;
    }
}
