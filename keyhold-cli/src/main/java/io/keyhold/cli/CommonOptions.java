package io.keyhold.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** What every command understands. */
final class CommonOptions {

    @Option(
            names = "--redis",
            paramLabel = "URI",
            split = ",",
            description =
                    "The server, such as redis://localhost:6379. Several, or several with commas between them, are a"
                            + " quorum. Default: the environment variable KEYHOLD_REDIS, else a server of your own, started when"
                            + " it is first needed.")
    private List<String> redis = List.of();

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

    /** The way to the server that these options or the environment name. */
    Connection connection() {
        return Connection.to(redis);
    }
}
