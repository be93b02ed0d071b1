package io.keyhold.benchmarks.report;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Family;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** What the charts of a shape share: rows of contenders beside an axis, drawn as SVG. Colours are in the style sheet. */
final class Chart {
    static final int ROW = 26;

    private static final int TOP = 24;
    private static final int LABELS = 206;
    private static final int PLOT = 240;
    private static final int VALUES = 134;
    private static final int LETTER = 7;

    private final Scale scale;
    private final StringBuilder svg = new StringBuilder();
    private final int rows;
    private int row;

    /** The grid is drawn at once. */
    Chart(String label, Scale scale, int rows, DoubleFunction<String> tickText) {
        this.scale = scale;
        this.rows = rows;
        int height = TOP + rows * ROW + 6;
        add(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                LABELS + PLOT + VALUES, height, Texts.html(label));
        double lastEnd = -1;
        for (double tick : scale.ticks()) {
            double x = x(tick);
            String text = tickText.apply(tick);
            add("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP - 4, height - 6);
            double half = text.length() * LETTER / 2.0;
            if (x - half > lastEnd) {
                add("<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, TOP - 10, text);
                lastEnd = x + half + 4;
            }
        }
    }

    /** The next row, with its name. */
    void row(Entrant entrant) {
        String style = entrant.family() == Family.KEYHOLD ? "label ours" : "label";
        add(
                "<text class=\"%s\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                style, LABELS - 10, middle() + 4, Texts.html(entrant.title()));
    }

    /** From the axis to the value. */
    void bar(String style, double value) {
        double width = Math.max(2, x(value) - LABELS);
        add(
                "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"16\" rx=\"2\"/>",
                style, LABELS, middle() - 8, width);
    }

    /** From one value to another. */
    void line(String style, double from, double to) {
        add(
                "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                style, x(from), x(to), middle(), middle());
    }

    void dot(String style, double value) {
        add("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>", style, x(value), middle());
    }

    /** Behind the plot, where nothing can cover it: the value, and smaller what it means. */
    void value(double right, String text, String detail) {
        add(
                "<text class=\"value\" x=\"%.1f\" y=\"%.1f\">%s<tspan class=\"detail\" dx=\"7\">%s</tspan></text>",
                x(right) + 9, middle() + 4, Texts.html(text), Texts.html(detail));
    }

    void nextRow() {
        row++;
    }

    String svg() {
        if (row != rows) {
            throw new IllegalStateException(row + " of " + rows + " rows were drawn");
        }
        return svg + "</svg>";
    }

    private double x(double value) {
        return LABELS + scale.position(value) * PLOT;
    }

    private double middle() {
        return TOP + row * ROW + ROW / 2.0;
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
