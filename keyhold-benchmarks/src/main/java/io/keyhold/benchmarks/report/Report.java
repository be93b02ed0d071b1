package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.shape.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything that the pages are made of.
 *
 * @param results one for each shape, in the order of the run
 * @param environment where it was measured
 * @param effort how long it was measured
 */
public record Report(List<ShapeResult> results, Environment environment, Effort effort) {

    /** Held against the results. */
    public List<Goal> goals() {
        return Goals.evaluate(results);
    }

    /** How it was measured, in sentences. */
    public List<String> method() {
        return List.of(
                "One Redis server for all; five others for the shapes that say so. Every contender runs in JVMs of its own, which are started and warmed up for "
                        + effort.warmUp().toMillis() + " ms for each shape.",
                effort.rounds() + " rounds of " + effort.measured().toMillis()
                        + " ms for each contender and shape, interleaved: every contender's first round, then every contender's"
                        + " second. Bars are medians; the thin line is the range of the rounds.",
                "Nothing is done inside the lock. In each JVM a plain counter and a count of those inside check that never more"
                        + " threads of it were inside at once than may be.",
                "Commands per hold come from the server's INFO commandstats before and after a round: a script counts as one"
                        + " command, and each command inside it as one more. A PUBLISH counts once, however many hear it.",
                "Libraries run with their own defaults; the floor polls every millisecond when a lock is taken.");
    }

    /** Broken exclusions and lost leases of everybody. */
    public long faults() {
        return results.stream()
                .flatMap(result -> result.figures().values().stream())
                .mapToLong(Figures::faults)
                .sum();
    }

    /** Writes both pages. */
    public void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("results.md"), new MarkdownReport(this).text());
        Files.writeString(directory.resolve("results.html"), new HtmlReport(this).text());
    }
}
