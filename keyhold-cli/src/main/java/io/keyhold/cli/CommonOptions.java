package io.keyhold.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every command understands that needs a server. */
final class CommonOptions {

    @Option(
            names = "--redis",
            paramLabel = "URI",
            split = ",",
            description =
                    "The server, such as redis://localhost:6379. Several, or several with commas between them, are a"
                            + " quorum. Default: the environment variable KEYHOLD_REDIS, else a server of your own, started when"
                            + " it is first needed.")
    List<String> redis = List.of();

    @Option(
            names = "--admit-fresh-nodes",
            description =
                    "Of a quorum: let servers vote at once that were never part of one. Only for servers that are known to be"
                            + " new: one that has lost its memory looks the same. Default: they vote after a minute.")
    boolean admitFreshNodes;

    @Option(
            names = "--longest-lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "Of a quorum: no lease is longer, and so long a server keeps out of votes that may have lost its memory. The"
                            + " same for all who use the quorum. Default: 1m.")
    @Nullable
    Duration longestLease;

    @Mixin
    @SuppressWarnings("unused") // Read by picocli.
    private HelpOptions help = new HelpOptions();

    /** The way to the server that these options or the environment name. */
    Connection connection() {
        return Connection.to(redis, new QuorumChoices(admitFreshNodes, Optional.ofNullable(longestLease)));
    }
}
