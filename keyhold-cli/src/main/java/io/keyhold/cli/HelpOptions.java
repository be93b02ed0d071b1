package io.keyhold.cli;

import picocli.CommandLine.Option;

/** The options of every command. */
final class HelpOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // Read by picocli.
    private boolean help;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print details and the stack trace of an error to standard error.")
    void verbose(boolean enabled) {
        Diagnostics.verbose(enabled);
    }
}
