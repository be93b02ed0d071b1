package io.keyhold.cli.view;

import java.time.Duration;
import java.util.Locale;

/** Formats durations with two units at most: 350ms, 3.2s, 42s, 4m05s, 3h07m, 2d04h. */
public final class DurationText {

    private DurationText() {}

    /** Formats a duration. A negative one, which different clocks may cause, becomes 0ms. */
    public static String of(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        long seconds = millis / 1_000;
        if (seconds < 1) {
            return millis + "ms";
        }
        if (seconds < 10) {
            return seconds + "." + millis % 1_000 / 100 + "s";
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return two(seconds / 60, "m", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return two(seconds / 3_600, "h", seconds / 60 % 60, "m");
        }
        return two(seconds / 86_400, "d", seconds / 3_600 % 24, "h");
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return String.format(Locale.ROOT, "%d%s%02d%s", large, unit, small, smallUnit);
    }
}
