package io.keyhold.benchmarks.report;

import java.util.Locale;

/**
 * Something that Keyhold wants to reach.
 *
 * @param text the goal, for people
 * @param verdict whether it is reached
 * @param measured what was measured, for people
 */
public record Goal(String text, Verdict verdict, String measured) {

    /** Whether a goal is reached. */
    public enum Verdict {
        /** It is. */
        MET,
        /** It is not. */
        MISSED,
        /** A shape or a contender that it needs did not run. */
        NOT_MEASURED;

        /** For people. */
        public String text() {
            return this == NOT_MEASURED ? "not measured" : name().toLowerCase(Locale.ROOT);
        }
    }
}
