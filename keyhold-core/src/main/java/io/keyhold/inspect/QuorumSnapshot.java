package io.keyhold.inspect;

import java.util.List;

/**
 * A quorum at one moment.
 *
 * @param nodes its nodes, in the order in which the client was given them
 * @param inOneRound how many locks this client has got in one round of votes: a majority had agreed on the fencing token
 * @param inTwoRounds how many in two, because clocks or counters differed
 */
public record QuorumSnapshot(List<QuorumNode> nodes, long inOneRound, long inTwoRounds) {

    /** A quorum at one moment. */
    public QuorumSnapshot {
        nodes = List.copyOf(nodes);
    }

    /** Whether a majority of the nodes can vote: if not, no lock can be had. */
    public boolean isComplete() {
        return 2 * nodes.stream().filter(QuorumNode::canVote).count() > nodes.size();
    }
}
