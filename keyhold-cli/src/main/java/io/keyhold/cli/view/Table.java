package io.keyhold.cli.view;

import io.keyhold.console.internal.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A text table. Columns are as wide as their longest cell, or narrower to fit a terminal. */
public final class Table {

    private static final String GAP = "  ";

    /** Columns are not cut below this width. */
    private static final int MIN_WIDTH = 6;

    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table with these headings. */
    public Table(String... headings) {
        add(headings);
    }

    /** Adds a row with a cell for each heading. */
    public void add(String... cells) {
        rows.add(Arrays.stream(cells).map(Printable::text).toList());
    }

    /** Returns headings and rows; nothing is cut. */
    public List<String> lines() {
        return lines(Integer.MAX_VALUE);
    }

    /** Returns headings and rows, cut to this many terminal columns; the widest columns are cut first. */
    public List<String> lines(int width) {
        int[] widths = fitted(width);
        return rows.stream().map(row -> line(row, widths, width)).toList();
    }

    private int[] fitted(int width) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], TextWidth.of(row.get(column)));
            }
        }
        int room = width - GAP.length() * (widths.length - 1);
        for (int widest = widest(widths); sum(widths) > room && widths[widest] > MIN_WIDTH; widest = widest(widths)) {
            widths[widest]--;
        }
        return widths;
    }

    private static int sum(int... widths) {
        return Arrays.stream(widths).sum();
    }

    private static int widest(int... widths) {
        int widest = 0;
        for (int column = 1; column < widths.length; column++) {
            if (widths[column] > widths[widest]) {
                widest = column;
            }
        }
        return widest;
    }

    private static String line(List<String> row, int[] widths, int width) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = TextWidth.cut(row.get(column), widths[column]);
            line.append(cell);
            if (column < widths.length - 1) {
                line.append(" ".repeat(widths[column] - TextWidth.of(cell))).append(GAP);
            }
        }
        return TextWidth.cut(line.toString().stripTrailing(), width);
    }
}
