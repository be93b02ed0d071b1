package io.keyhold.cli;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the server, with those for a quorum: for commands whose result depends on which nodes vote. */
final class CommonOptions extends ServerOptions {

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

    @Override
    Connection connection() {
        return connection(new QuorumFlags(admitFreshNodes, Optional.ofNullable(longestLease)));
    }
}
