package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Family;
import io.keyhold.benchmarks.statistics.LatencyHistogram;

/** The spread of a shape's latencies: from the median, a full dot, to the 99th percentile, an empty one. */
final class LatencyChart {
    private LatencyChart() {}

    static boolean hasLatencies(ShapeResult result) {
        return result.figures().values().stream().anyMatch(LatencyChart::hasAny);
    }

    private static boolean hasAny(Figures figures) {
        return figures.latencies().total() > 0;
    }

    static String svg(ShapeResult result) {
        double smallest = result.figures().values().stream()
                .filter(LatencyChart::hasAny)
                .mapToDouble(figures -> figures.latencies().percentile(50))
                .min()
                .orElse(1);
        double largest = result.figures().values().stream()
                .mapToDouble(figures -> figures.latencies().percentile(99))
                .max()
                .orElse(1);
        Scale scale = Scale.logarithmic(Math.max(1, smallest), Math.max(1, largest));
        Chart chart = new Chart(
                result.shape().title() + ", latency", scale, result.figures().size(), Texts::nanos);
        result.figures().forEach((entrant, figures) -> {
            chart.row(entrant);
            if (hasAny(figures)) {
                spread(chart, entrant.family() == Family.KEYHOLD ? "ours" : "other", figures.latencies());
            } else {
                chart.value(0, "no hold within a round", "");
            }
            chart.nextRow();
        });
        return chart.svg();
    }

    private static void spread(Chart chart, String style, LatencyHistogram latencies) {
        double median = latencies.percentile(50);
        double tail = latencies.percentile(99);
        chart.line("spread " + style, median, tail);
        chart.dot("median " + style, median);
        chart.dot("tail " + style, tail);
        chart.value(tail, Texts.nanos(median), Texts.nanos(tail));
    }
}
