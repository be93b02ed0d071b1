package io.keyhold.benchmarks.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers numbers for the report. */
final class Numbers {
    private static final double NANOS_IN_MICRO = 1e3;
    private static final double NANOS_IN_MILLI = 1e6;
    private static final double NANOS_IN_SECOND = 1e9;

    private Numbers() {}

    /** Returns three significant digits, or all of a large number with separated thousands. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        double size = Math.abs(value);
        if (size >= 100 || size == Math.rint(size)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
    }

    static String number(long value) {
        return number((double) value);
    }

    static String percent(double share) {
        return number(share * 100) + " %";
    }

    static String bytes(double bytes) {
        return number(Math.rint(bytes)) + " B";
    }

    static String ratio(double value) {
        return number(value) + "×";
    }

    static String ratio(OptionalDouble value) {
        return value.isPresent() ? ratio(value.getAsDouble()) : "–";
    }

    /** Returns the time with a suitable unit. */
    static String nanos(double nanos) {
        if (nanos >= NANOS_IN_SECOND) {
            return number(nanos / NANOS_IN_SECOND) + " s";
        }
        return nanos >= NANOS_IN_MILLI
                ? number(nanos / NANOS_IN_MILLI) + " ms"
                : number(nanos / NANOS_IN_MICRO) + " µs";
    }

    static String nanos(long nanos) {
        return nanos((double) nanos);
    }
}
