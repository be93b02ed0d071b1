package io.keyhold.benchmarks.report;

import java.util.Locale;

/**
 * A goal of Keyhold.
 *
 * @param text the goal
 * @param verdict whether it is met
 * @param measured the measured value
 */
public record Goal(String text, Verdict verdict, String measured) {

    /** Whether a goal is met. */
    public enum Verdict {
        /** It is. */
        MET,
        /** It is not. */
        MISSED,
        /** A shape or a contender that it needs did not run. */
        NOT_MEASURED;

        /** Returns the word for the report. */
        public String text() {
            return this == NOT_MEASURED ? "not measured" : name().toLowerCase(Locale.ROOT);
        }
    }
}
