package io.keyhold.cli;

import io.keyhold.console.internal.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Messages on standard error. Standard output is for results, and for the command that runs under a lock. Messages contain keys
 * and tokens of others, so unprintable characters are escaped.
 */
final class Diagnostics {

    private static volatile boolean verbose;

    private Diagnostics() {}

    /** Switches details and stack traces on or off. */
    static void verbose(boolean enabled) {
        verbose = enabled;
    }

    static boolean isVerbose() {
        return verbose;
    }

    /** Prints one line. */
    static void print(String line) {
        System.err.println("keyhold: " + Printable.text(line));
    }

    /** Prints one line if {@code --verbose} was given. */
    static void detail(String line) {
        if (verbose) {
            print(line);
        }
    }

    /** Prints an error in one line, with the stack trace if {@code --verbose} was given. */
    static void error(String message, @Nullable Throwable cause) {
        String line = "keyhold: " + Printable.text(oneLine(message));
        System.err.println(Terminal.ERROR.hasColours() ? "\u001b[31m" + line + "\u001b[0m" : line);
        if (verbose && cause != null) {
            cause.printStackTrace();
        }
    }

    private static String oneLine(String message) {
        return message.strip().replace("\r", "").replace("\n", "; ");
    }
}
