package io.keyhold.cli;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses and formats durations: a whole number and a unit. Uses no regular expressions, which cost start-up time. */
final class Durations implements ITypeConverter<Duration> {

    private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms");
    private static final long[] MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    private static final String RULE = "a duration must be a whole number with a unit (500ms, 2s, 5m, 1h or 1d), was '";

    /**
     * Parses a duration.
     *
     * @throws TypeConversionException if it is not a number with a unit, or too large
     */
    @Override
    public Duration convert(String text) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        try {
            int unit = UNITS.indexOf(text.substring(digits));
            if (unit >= 0) {
                return Duration.ofMillis(Math.multiplyExact(Long.parseLong(text.substring(0, digits)), MILLIS[unit]));
            }
        } catch (NumberFormatException | ArithmeticException noneOrTooLarge) {
            // Refused below.
        }
        throw new TypeConversionException(RULE + text + "'");
    }

    /** Formats a duration to the millisecond, in one unit: the inverse of {@link #convert}. */
    static String text(Duration duration) {
        long millis = duration.toMillis();
        int unit = millis == 0 ? UNITS.indexOf("s") : 0;
        while (millis % MILLIS[unit] != 0) {
            unit++;
        }
        return millis / MILLIS[unit] + UNITS.get(unit);
    }
}
