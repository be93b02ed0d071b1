package io.keyhold.cli;

import io.keyhold.QuorumOptions;
import java.time.Duration;

/** The options that name the server, with those for a quorum: for commands whose result depends on which nodes vote. */
final class CommonOptions extends ServerOptions {

    private final Argument<Boolean> admitFreshNodes;
    private final Argument<Duration> longestLease;

    CommonOptions(CliCommand command) {
        super(command);
        admitFreshNodes = command.flag(
                "--admit-fresh-nodes",
                "Quorum only: new servers vote immediately. Use it only if the servers are known to be new: a server that"
                        + " lost its data looks the same. Default: they vote after --longest-lease.");
        longestLease = command.duration(
                "--longest-lease",
                "Quorum only: the upper bound of every lease; a restarted server does not vote for this long. Must be the"
                        + " same for all clients. Default: 1m.");
    }

    @Override
    QuorumOptions quorum(int servers) {
        CliException.refuse(
                servers < 2 && (admitFreshNodes.isGiven() || longestLease.isGiven()),
                (admitFreshNodes.isGiven() ? "--admit-fresh-nodes" : "--longest-lease")
                        + " applies only to a quorum: name several servers");
        QuorumOptions.Builder options = QuorumOptions.builder().admitFreshNodes(admitFreshNodes.isGiven());
        Duration longest = longestLease.get();
        return (longest != null ? options.longestLease(longest) : options).build();
    }
}
