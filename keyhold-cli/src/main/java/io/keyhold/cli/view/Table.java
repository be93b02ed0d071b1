package io.keyhold.cli.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows under headings, in columns as wide as their longest cell, or as a terminal allows. */
public final class Table {

    private static final String GAP = "  ";

    /** No column gets narrower for the sake of the others. */
    private static final int LEAST = 6;

    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these headings. */
    public Table(String... headings) {
        add(headings);
    }

    /** One more row, with a cell for each heading. */
    public void add(String... cells) {
        rows.add(Arrays.stream(cells).map(Plain::text).toList());
    }

    /** The headings, then the rows; nothing is cut. */
    public List<String> lines() {
        return lines(Integer.MAX_VALUE);
    }

    /** The same in no more than so many columns of a terminal: the widest columns are cut first. */
    public List<String> lines(int width) {
        int[] widths = fitted(width);
        return rows.stream().map(row -> line(row, widths, width)).toList();
    }

    private int[] fitted(int width) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], Plain.width(row.get(column)));
            }
        }
        int room = width - GAP.length() * (widths.length - 1);
        for (int widest = widest(widths); sum(widths) > room && widths[widest] > LEAST; widest = widest(widths)) {
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
            String cell = Plain.cut(row.get(column), widths[column]);
            line.append(cell);
            if (column < widths.length - 1) {
                line.append(" ".repeat(widths[column] - Plain.width(cell))).append(GAP);
            }
        }
        return Plain.cut(line.toString().stripTrailing(), width);
    }
}
