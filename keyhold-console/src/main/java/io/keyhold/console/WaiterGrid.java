package io.keyhold.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many requests waited for which key, in the last hour: the largest number in each step of five seconds. Keys without waiters take no
 * memory, and the number of keys is limited. Not safe for use by several threads.
 */
final class WaiterGrid {

    static final long STEP = 5_000;
    static final int COLUMNS = 720;
    static final int MOST_ROWS = 1_000;
    private static final int MOST_COLUMNS_SHOWN = 120;
    private static final int MOST_ROWS_SHOWN = 100;

    private final Map<String, Row> rows = new HashMap<>();

    private static final class Row {
        private final short[] cells = new short[COLUMNS];
        private long last;

        void put(long column, long waiters) {
            for (long i = Math.max(last + 1, column - COLUMNS + 1); i <= column; i++) {
                cells[(int) (i % COLUMNS)] = 0;
            }
            last = Math.max(last, column);
            int index = (int) (column % COLUMNS);
            cells[index] = (short) Math.max(cells[index], Math.min(waiters, Short.MAX_VALUE));
        }

        int at(long column) {
            return column <= last && column > last - COLUMNS ? cells[(int) (column % COLUMNS)] : 0;
        }
    }

    /** Records that this many requests wait. */
    void put(String key, long waiters, long at) {
        long column = at / STEP;
        Row row = rows.get(key);
        if (row == null) {
            if (waiters == 0) {
                return;
            }
            makeRoom(column);
            row = new Row();
            rows.put(key, row);
        }
        if (waiters > 0) {
            row.put(column, waiters);
        }
    }

    /** Removes the row whose key was waited for longest ago, and all that have left the grid. */
    private void makeRoom(long column) {
        if (rows.size() < MOST_ROWS) {
            return;
        }
        rows.values().removeIf(row -> row.last <= column - COLUMNS);
        if (rows.size() >= MOST_ROWS) {
            rows.entrySet().stream()
                    .min(Comparator.comparingLong(row -> row.getValue().last))
                    .map(Map.Entry::getKey)
                    .ifPresent(rows::remove);
        }
    }

    int size() {
        return rows.size();
    }

    /** Returns the rows of the last minutes, the most waited for first. */
    Map<String, @Nullable Object> show(long now, int minutes) {
        int columns = (int) (minutes * 60_000L / STEP);
        int together = (columns + MOST_COLUMNS_SHOWN - 1) / MOST_COLUMNS_SHOWN;
        // Whole groups, so that a cell keeps its place while time goes on.
        long last = now / STEP / together;
        long first = last - columns / together + 1;
        List<Long> times = new ArrayList<>();
        for (long group = first; group <= last; group++) {
            times.add(group * together * STEP);
        }
        List<Map<String, @Nullable Object>> shown = new ArrayList<>();
        rows.forEach((key, row) -> {
            List<Integer> cells = new ArrayList<>();
            long total = 0;
            for (long group = first; group <= last; group++) {
                int most = 0;
                for (int i = 0; i < together; i++) {
                    most = Math.max(most, row.at(group * together + i));
                }
                cells.add(most);
                total += most;
            }
            if (total > 0) {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                object.put("key", key);
                object.put("waiters", cells);
                object.put("total", total);
                shown.add(object);
            }
        });
        shown.sort(Comparator.<Map<String, @Nullable Object>>comparingLong(row -> -(Long) row.getOrDefault("total", 0L))
                .thenComparing(row -> String.valueOf(row.get("key"))));
        Map<String, @Nullable Object> grid = new LinkedHashMap<>();
        grid.put("stepMillis", together * STEP);
        grid.put("times", times);
        grid.put("rows", shown.subList(0, Math.min(shown.size(), MOST_ROWS_SHOWN)));
        return grid;
    }
}
