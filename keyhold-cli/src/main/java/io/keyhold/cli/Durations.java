package io.keyhold.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses and formats durations: a whole number and a unit. Uses no regular expressions, which cost start-up time. */
final class Durations implements ITypeConverter<Duration> {

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
        if (digits == 0) {
            throw refused(text);
        }
        try {
            Duration duration = of(Long.parseLong(text.substring(0, digits)), text.substring(digits), text);
            return Duration.ofMillis(duration.toMillis()); // Fails if the milliseconds overflow.
        } catch (NumberFormatException | ArithmeticException tooLarge) {
            throw refused(text);
        }
    }

    private static Duration of(long amount, String unit, String text) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> throw refused(text);
        };
    }

    private static TypeConversionException refused(String text) {
        return new TypeConversionException(RULE + text + "'");
    }

    /** Formats a duration to the millisecond, in one unit: the inverse of {@link #convert}. */
    static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0s";
        }
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
