package io.keyhold.cli;

import io.keyhold.QuorumOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * What was said that matters to a quorum only.
 *
 * @param admitFreshNodes whether servers may vote at once that were never part of one
 * @param longestLease no lease is longer; empty for the default
 */
record QuorumChoices(boolean admitFreshNodes, Optional<Duration> longestLease) {

    /**
     * Whether all this can be done where so many servers are named.
     *
     * @throws CliException if there is no quorum
     */
    void check(int servers) {
        if (servers < 2 && (admitFreshNodes || longestLease.isPresent())) {
            throw new CliException(
                    ExitCode.USAGE,
                    (admitFreshNodes ? "--admit-fresh-nodes" : "--longest-lease")
                            + ": there is one server, and no quorum");
        }
    }

    QuorumOptions options() {
        QuorumOptions.Builder options = QuorumOptions.builder().admitFreshNodes(admitFreshNodes);
        longestLease.ifPresent(options::longestLease);
        return options.build();
    }
}
