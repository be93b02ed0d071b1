package io.keyhold.cli;

import org.jspecify.annotations.Nullable;

/** Ends the command with a line on standard error and an exit code. */
final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CliException(int exitCode, String message) {
        this(exitCode, message, null);
    }

    CliException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Wrong use of the command. */
    static CliException usage(String message) {
        return new CliException(ExitCode.USAGE, message);
    }

    /**
     * Refuses wrong use of the command.
     *
     * @throws CliException with this rule, if it is wrong
     */
    static void refuse(boolean wrong, String rule) {
        if (wrong) {
            throw usage(rule);
        }
    }

    int exitCode() {
        return exitCode;
    }
}
