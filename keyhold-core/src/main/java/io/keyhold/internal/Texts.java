package io.keyhold.internal;

import java.time.Duration;

/** How values look in messages. */
public final class Texts {

    private Texts() {}

    /** A duration as people write it: {@code 500 ms}, {@code 2 s}, {@code 31 days}. */
    public static String duration(Duration duration) {
        if (duration.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return duration.toNanos() % 1_000_000 == 0 ? duration.toMillis() + " ms" : duration.toNanos() + " ns";
        }
        if (duration.toMillisPart() != 0) {
            return duration.toMillis() / 1000.0 + " s";
        }
        long seconds = duration.toSeconds();
        return seconds % 86_400 == 0 ? seconds / 86_400 + " days" : seconds + " s";
    }

    /** The text, or its beginning if it is longer than that. */
    public static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }
}
