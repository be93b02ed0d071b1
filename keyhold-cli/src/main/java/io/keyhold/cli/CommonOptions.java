package io.keyhold.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that needs a server. */
final class CommonOptions {

    @Option(
            names = "--redis",
            paramLabel = "URI",
            split = ",",
            description =
                    "The server, such as redis://localhost:6379. Several servers (the option repeated, or separated by"
                            + " commas) form a quorum. Default: the environment variable KEYHOLD_REDIS, else a private Redis"
                            + " server, started on first use.")
    List<String> redis = List.of();

    @Option(
            names = "--admit-fresh-nodes",
            description =
                    "Quorum only: new servers vote immediately. Use it only if the servers are known to be new: a server that"
                            + " lost its data looks the same. Default: they vote after --longest-lease.")
    boolean admitFreshNodes;

    @Option(
            names = "--longest-lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "Quorum only: the upper bound of every lease; a restarted server does not vote for this long. Must be the"
                            + " same for all clients. Default: 1m.")
    @Nullable
    Duration longestLease;

    @Mixin
    @SuppressWarnings("unused") // Read by picocli.
    private HelpOptions help = new HelpOptions();

    /** Returns the connection to the server that these options or the environment name. */
    Connection connection() {
        return Connection.to(redis, new QuorumFlags(admitFreshNodes, Optional.ofNullable(longestLease)));
    }
}
