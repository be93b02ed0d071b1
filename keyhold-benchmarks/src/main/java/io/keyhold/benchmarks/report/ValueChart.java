package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The metric of a shape as bars. */
final class ValueChart {
    private static final double THOUSAND = 1e3;
    private static final double MILLION = 1e6;

    private ValueChart() {}

    static String svg(ShapeResult result) {
        List<Double> values = new ArrayList<>();
        result.figures().values().forEach(figures -> values.addAll(List.of(figures.value(), figures.highest())));
        Scale scale = Scale.fitting(values);
        String unit = result.shape().metric().unit();
        Chart chart = new Chart(
                result.shape().title() + ", " + unit, scale, result.figures().size(), ValueChart::shortNumber);
        result.figures().forEach((entrant, figures) -> {
            chart.row(entrant);
            chart.bar(style(entrant), figures.value());
            chart.line("range", figures.lowest(), figures.highest());
            chart.value(
                    figures.highest(),
                    Texts.number(figures.value()),
                    result.yardstick().isEmpty() ? "" : Texts.ratio(result.toYardstick(entrant)));
            chart.nextRow();
        });
        return chart.svg();
    }

    /** The caption above the bars. */
    static String caption(ShapeResult result) {
        List<Double> values =
                result.figures().values().stream().map(Figures::value).toList();
        String better = result.shape().metric().higherIsBetter() ? "longer is better" : "shorter is better";
        String kind = Scale.fitting(values).isLogarithmic() ? ", logarithmic" : "";
        return result.shape().metric().unit() + kind + " · " + better
                + result.yardstick()
                        .map(entrant -> " · × is relative to " + entrant.title())
                        .orElse("");
    }

    static String style(Entrant entrant) {
        if (entrant.family() == Family.FLOOR) {
            return "bar floor";
        }
        if (entrant.family() != Family.KEYHOLD) {
            return "bar other";
        }
        return entrant.id().endsWith("strict") ? "bar ours strict" : "bar ours";
    }

    private static String shortNumber(double value) {
        if (value >= MILLION) {
            return String.format(Locale.ROOT, "%.0f M", value / MILLION);
        }
        return value >= THOUSAND ? Texts.number(value / THOUSAND) + " k" : Texts.number(value);
    }
}
