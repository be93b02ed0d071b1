package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.shape.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The results of a run.
 *
 * @param results one for each shape, in the order of the run
 * @param environment where it was measured
 * @param effort how long it was measured
 */
public record Report(List<ShapeResult> results, Environment environment, Effort effort) {

    /** Returns the goals, compared with the results. */
    public List<Goal> goals() {
        return Goals.evaluate(results);
    }

    /** Describes how it was measured. */
    List<String> method() {
        return List.of(
                "One Redis server for all; five others for the shapes that say so. Every contender runs in its own"
                        + " JVMs, which are started for each shape and warmed up for "
                        + effort.warmUp().toMillis()
                        + " ms; loops of several JVMs and on a quorum for two to four times as long.",
                effort.rounds() + " rounds of " + effort.measured().toMillis()
                        + " ms for each contender and shape, interleaved: every contender's first round, then every"
                        + " contender's second. The tables show medians of the rounds, and percentiles of all rounds"
                        + " together.",
                "Nothing is done while a lock is held. A counter in each JVM checks that there are never more holders"
                        + " than allowed.",
                "Commands per hold come from the server's INFO commandstats before and after a round: a script counts"
                        + " as one command, and each command inside it as one more. A PUBLISH counts once for any number"
                        + " of subscribers.",
                "Libraries run with their defaults; the floor polls every millisecond while a lock is held.");
    }

    /** Returns the violations of exclusion and lost leases of all contenders. */
    public long faults() {
        return results.stream()
                .flatMap(result -> result.figures().values().stream())
                .mapToLong(Figures::faults)
                .sum();
    }

    /** Writes {@code results.md} and {@code results.json}. */
    public void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("results.md"), new MarkdownReport(this).text());
        Files.writeString(directory.resolve("results.json"), JsonReport.of(this));
    }
}
