package io.keyhold.cli;

import io.keyhold.QuorumOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * The options that apply to a quorum only.
 *
 * @param admitFreshNodes whether new servers vote immediately
 * @param longestLease the upper bound of every lease; empty for the default
 */
record QuorumFlags(boolean admitFreshNodes, Optional<Duration> longestLease) {

    /**
     * Checks these options against the number of servers.
     *
     * @throws CliException if an option is set and there is no quorum
     */
    void check(int servers) {
        CliException.refuse(
                servers < 2 && (admitFreshNodes || longestLease.isPresent()),
                (admitFreshNodes ? "--admit-fresh-nodes" : "--longest-lease")
                        + " applies only to a quorum: name several servers");
    }

    QuorumOptions options() {
        QuorumOptions.Builder options = QuorumOptions.builder().admitFreshNodes(admitFreshNodes);
        longestLease.ifPresent(options::longestLease);
        return options.build();
    }
}
