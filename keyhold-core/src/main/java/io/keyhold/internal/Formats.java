package io.keyhold.internal;

import java.time.Duration;
import java.util.Locale;

/** How values look in messages. */
public final class Formats {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long MOST_SECONDS_WITH_PART = 1_000_000_000_000L;
    private static final int LONGEST_TOKEN = 200;

    private Formats() {}

    /** A duration as people write it: {@code 500 ms}, {@code 2 s}, {@code 31 days}. */
    public static String duration(Duration duration) {
        // Not by toMillis, toNanos or abs, which fail for the longest durations.
        if (duration.compareTo(SECOND) < 0 && duration.compareTo(SECOND.negated()) > 0) {
            return duration.toNanos() % 1_000_000 == 0 ? duration.toMillis() + " ms" : duration.toNanos() + " ns";
        }
        long seconds = duration.toSeconds();
        if (duration.toMillisPart() != 0 && seconds < MOST_SECONDS_WITH_PART && seconds > -MOST_SECONDS_WITH_PART) {
            return duration.toMillis() / 1000.0 + " s";
        }
        return seconds % 86_400 == 0 ? seconds / 86_400 + " days" : seconds + " s";
    }

    /** The text, or its beginning if it is longer than that. */
    public static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }

    /** A token of a holder, or the beginning of one that a user chose longer than any of ours. */
    public static String token(String token) {
        return cut(token, LONGEST_TOKEN);
    }

    /** The text with each unpaired surrogate written as an escape, {@code \\uD800}: no terminal and no log could show it. */
    public static String readable(String text) {
        StringBuilder readable = new StringBuilder();
        text.codePoints().forEach(character -> {
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                readable.append(String.format(Locale.ROOT, "\\u%04X", character));
            } else {
                readable.appendCodePoint(character);
            }
        });
        return readable.toString();
    }
}
