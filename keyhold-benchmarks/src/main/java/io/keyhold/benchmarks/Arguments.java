package io.keyhold.benchmarks;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.shape.Effort;
import io.keyhold.benchmarks.shape.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What was asked for.
 *
 * @param task what to do
 * @param shapes what to measure
 * @param entrants whom to measure
 * @param effort how long
 * @param redis another server than one of our own
 * @param output where the results go
 */
record Arguments(
        Task task, List<Shape> shapes, List<Entrant> entrants, Effort effort, Optional<String> redis, Path output) {

    /** Why this contender does not take part in this shape, if so. */
    Optional<String> leftOut(Shape shape, Entrant entrant) {
        return shape.servers() > 1 && redis.isPresent()
                ? Optional.of(
                        "needs " + shape.servers() + " servers, which are started here, and --redis names another")
                : shape.skips(entrant);
    }

    /** What to do. */
    enum Task {
        /** Tell how to use this. */
        HELP,
        /** Compare the contenders on a server. */
        COMPARE,
        /** Run the measurements inside one JVM. */
        JMH
    }

    static final String USAGE = """
            Usage: ./benchmark [options] [shape...]

              --quick                  few short rounds, about 7 minutes in all: to see that it works, not to quote
              --rounds N               measured rounds of each contender in each shape, 1 to 100 (default 5)
              --seconds S              length of a round, 0.1 to 600 (default 2)
              --shapes A,B             the same as naming them behind the options (default: all)
              --contenders A,B         who takes part (default: all)
              --redis URI              a server that runs already, as redis://host:port (default: starts its own)
              --output DIR             where results.md and results.html go (default: target/benchmark)
              --jmh                    instead, the measurements inside one JVM, without a server
              --help                   this text
            """;
}
