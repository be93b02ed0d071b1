package io.keyhold.cli;

import picocli.CommandLine.Option;

/** What every command understands, whether it needs a server or not. */
final class HelpOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    @SuppressWarnings("unused") // Read by picocli.
    private boolean help;

    @Option(
            names = {"-v", "--verbose"},
            description = "Says more on standard error, and shows where an error comes from.")
    void verbose(boolean wanted) {
        Diagnostics.verbose(wanted);
    }
}
