package io.keyhold.benchmarks;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Shape;

/** How long things should take, for the estimate of the time left. The progress corrects it by what they do take. */
final class Plan {
    private static final double START_OF_A_JVM = 0.4;
    private static final double RAMP_UP_AND_END = 0.25;

    private Plan() {}

    static double startSeconds(Shape shape, Effort effort) {
        return START_OF_A_JVM * (1 + shape.jvms())
                + (shape.preparation().toMillis() + effort.warmUp().toMillis()) / 1e3;
    }

    static double roundSeconds(Shape shape, Effort effort) {
        double taking = shape.renewedLease().isPresent() ? 4 : 0;
        return RAMP_UP_AND_END + taking + effort.measured().toMillis() / 1e3;
    }

    static double seconds(Arguments arguments) {
        double seconds = 0;
        for (Shape shape : arguments.shapes()) {
            Effort effort = shape.effort(arguments.effort());
            for (Entrant entrant : arguments.entrants()) {
                if (entrant.offers(shape.primitive())
                        && arguments.leftOut(shape, entrant).isEmpty()) {
                    seconds += startSeconds(shape, effort) + effort.rounds() * roundSeconds(shape, effort);
                }
            }
        }
        return seconds;
    }
}
