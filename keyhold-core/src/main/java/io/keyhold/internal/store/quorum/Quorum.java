package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.VotingNode;
import java.util.List;

/** The nodes of a quorum, and how many of them are a majority. */
record Quorum(List<VotingNode> nodes) {

    Quorum {
        nodes = List.copyOf(nodes);
    }

    int size() {
        return nodes.size();
    }

    /** More than half, so that any two majorities share a node. */
    int majority() {
        return nodes.size() / 2 + 1;
    }

    boolean isMajority(int count) {
        return count >= majority();
    }
}
