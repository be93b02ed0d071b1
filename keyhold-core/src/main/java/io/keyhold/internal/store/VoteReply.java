package io.keyhold.internal.store;

import java.util.Optional;
import java.util.OptionalLong;

/** What a node of a quorum answers to a request for its vote. */
public sealed interface VoteReply {

    /**
     * The lock is the asker's on this node.
     *
     * @param number the node's fencing counter
     */
    record Granted(long number) implements VoteReply {}

    /**
     * Somebody else has it there, or nobody and the request said to leave it.
     *
     * @param holder who
     * @param remainingMillis when that ends by itself; empty if never
     */
    record Busy(Optional<String> holder, OptionalLong remainingMillis) implements VoteReply {}

    /**
     * The node was started anew and may have forgotten what it granted: it does not vote.
     *
     * @param remainingMillis for how long yet
     */
    record Abstained(long remainingMillis) implements VoteReply {}
}
