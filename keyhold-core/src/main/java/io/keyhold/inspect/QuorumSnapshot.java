package io.keyhold.inspect;

import java.util.List;
import java.util.Objects;

/**
 * A quorum at one moment.
 *
 * @param nodes its nodes, in the order in which the client was given them
 * @param singleRoundCount how many locks this client has acquired in one round of votes: a majority agreed on the fencing token
 * @param twoRoundCount how many in two, because clocks or counters differed
 */
public record QuorumSnapshot(List<QuorumNode> nodes, long singleRoundCount, long twoRoundCount) {

    /** Copies the nodes. */
    public QuorumSnapshot {
        nodes = List.copyOf(Objects.requireNonNull(nodes, "nodes must not be null"));
    }

    /**
     * Returns whether a majority of the nodes can vote. If not, no lock can be acquired.
     *
     * @return whether there is a quorum
     */
    public boolean hasQuorum() {
        return 2 * nodes.stream().filter(QuorumNode::canVote).count() > nodes.size();
    }
}
