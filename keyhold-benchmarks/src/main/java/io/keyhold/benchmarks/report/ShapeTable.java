package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.statistics.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The cells of a shape's table: a name, and numbers. */
final class ShapeTable {
    private ShapeTable() {}

    static List<String> heading(ShapeResult result) {
        return switch (result.shape().metric()) {
            case HOLDS_PER_SECOND ->
                List.of(
                        "contender",
                        "holds/s",
                        "to Jedis floor",
                        "to Redisson",
                        "p50",
                        "p90",
                        "p99",
                        "max",
                        "commands per hold",
                        "holds per thread",
                        "exclusion");
            case HANDOVER_MICROSECONDS ->
                List.of("contender", "p50", "to Redisson", "p90", "p99", "max", "commands per hold", "hand-overs");
            case COMMANDS_PER_SECOND ->
                List.of(
                        "contender",
                        "commands/s",
                        "to Redisson",
                        "commands per lease and lease time",
                        "share of a core",
                        "heap per lease",
                        "lost");
            case RATE_KEPT -> {
                List<String> cells = new ArrayList<>(List.of("contender", "rate kept"));
                parts(result).forEach(others -> cells.add("holds/s with " + Numbers.number(others)));
                cells.addAll(List.of("p50", "p99", "commands per hold"));
                yield cells;
            }
            case SLOWDOWN -> {
                List<String> cells = new ArrayList<>(List.of("contender", "one stopped to all up"));
                for (String what : List.of("holds/s", "p50", "p99")) {
                    cells.addAll(List.of(what + ", all up", what + ", one stopped"));
                }
                cells.addAll(List.of("commands per hold, one stopped", "exclusion"));
                yield cells;
            }
        };
    }

    static List<String> row(ShapeResult result, Contender contender) {
        Figures figures = result.figures().get(contender);
        if (figures == null) {
            throw new IllegalArgumentException(contender + " did not take part");
        }
        Latencies latencies = figures.latencies();
        List<String> cells = new ArrayList<>(List.of(contender.title()));
        String toRedisson = Numbers.ratio(result.toYardstick(contender));
        switch (result.shape().metric()) {
            case HOLDS_PER_SECOND -> {
                Measurement middle = figures.middleRound();
                cells.addAll(List.of(
                        Numbers.number(figures.value()),
                        Numbers.ratio(result.ratio(contender, Contender.RAW_JEDIS)),
                        toRedisson));
                cells.addAll(percentiles(latencies, 50, 90, 99, 100));
                cells.addAll(List.of(
                        Numbers.number(figures.commandsPerHold()),
                        middle.fewest() + "–" + middle.most(),
                        exclusion(figures)));
            }
            case HANDOVER_MICROSECONDS -> {
                cells.addAll(percentiles(latencies, 50));
                cells.add(toRedisson);
                cells.addAll(percentiles(latencies, 90, 99, 100));
                cells.addAll(List.of(Numbers.number(figures.commandsPerHold()), Numbers.number(latencies.count())));
            }
            case COMMANDS_PER_SECOND -> {
                cells.addAll(List.of(
                        Numbers.number(figures.value()), toRedisson, Numbers.number(figures.commandsPerHold())));
                cells.addAll(footprint(figures));
                cells.add(Numbers.number(figures.faults()));
            }
            case RATE_KEPT -> {
                cells.add(Numbers.ratio(figures.value()));
                parts(result).forEach(others -> cells.add(Numbers.number(figures.rate(others))));
                cells.addAll(percentiles(latencies, 50, 99));
                cells.add(Numbers.number(figures.commandsPerHold()));
            }
            case SLOWDOWN -> {
                cells.add(Numbers.ratio(figures.value()));
                parts(result).forEach(stopped -> cells.add(Numbers.number(figures.rate(stopped))));
                for (int percent : List.of(50, 99)) {
                    parts(result).forEach(stopped -> cells.addAll(percentiles(figures.latencies(stopped), percent)));
                }
                cells.addAll(List.of(Numbers.number(figures.commandsPerHold()), exclusion(figures)));
            }
        }
        return cells;
    }

    private static List<String> footprint(Figures figures) {
        return figures.footprint()
                .map(footprint -> List.of(Numbers.percent(footprint.cores()), Numbers.bytes(footprint.heapPerLease())))
                .orElse(List.of("–", "–"));
    }

    private static String exclusion(Figures figures) {
        return figures.faults() == 0 ? "kept" : "VIOLATED " + figures.faults() + "×";
    }

    /** Returns the numbers of other holders, or of stopped servers, that were measured. */
    private static SortedSet<Integer> parts(ShapeResult result) {
        SortedSet<Integer> parts = new TreeSet<>();
        result.figures()
                .values()
                .forEach(figures -> figures.rounds()
                        .forEach(round -> parts.addAll(round.parts().keySet())));
        return parts;
    }

    private static List<String> percentiles(Latencies latencies, int... percents) {
        List<String> cells = new ArrayList<>();
        for (int percent : percents) {
            cells.add(latencies.count() == 0 ? "–" : Numbers.nanos(latencies.percentile(percent)));
        }
        return cells;
    }
}
