package io.keyhold.cli;

import io.keyhold.cli.view.Plain;
import org.jspecify.annotations.Nullable;

/**
 * What is said on standard error. Standard output belongs to results, and to the command that runs under a lock. Keys and
 * tokens stand in many messages, and are only shown.
 */
final class Diagnostics {

    private static volatile boolean verbose;

    private Diagnostics() {}

    /** Says more from now on. */
    static void verbose(boolean wanted) {
        verbose = wanted;
    }

    static boolean isVerbose() {
        return verbose;
    }

    /** One line for everybody. */
    static void say(String line) {
        System.err.println("keyhold: " + Plain.text(line));
    }

    /** One line for those who asked for more. */
    static void detail(String line) {
        if (verbose) {
            say(line);
        }
    }

    /** One line that says what went wrong, and the stack trace for those who asked for more. */
    static void error(String message, @Nullable Throwable cause) {
        String line = "keyhold: " + Plain.text(oneLine(message));
        System.err.println(Terminal.errorColours() ? "\u001b[31m" + line + "\u001b[0m" : line);
        if (verbose && cause != null) {
            cause.printStackTrace();
        }
    }

    private static String oneLine(String message) {
        return message.strip().replace("\r", "").replace("\n", "; ");
    }
}
