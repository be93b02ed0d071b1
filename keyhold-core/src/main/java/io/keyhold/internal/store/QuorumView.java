package io.keyhold.internal.store;

import java.util.List;
import java.util.Optional;

/**
 * A quorum as its client sees it.
 *
 * @param nodes its nodes
 * @param inOneRound how many quorum acquires took one round
 * @param inTwoRounds how many took two
 */
public record QuorumView(List<Node> nodes, long inOneRound, long inTwoRounds) {

    /** The nodes as they are now. */
    public QuorumView {
        nodes = List.copyOf(nodes);
    }

    /**
     * One node.
     *
     * @param address where it is
     * @param quarantineMillis for how long it may not vote yet; 0 if it may
     * @param trouble why it could not be asked, if it could not
     */
    public record Node(String address, long quarantineMillis, Optional<String> trouble) {}
}
