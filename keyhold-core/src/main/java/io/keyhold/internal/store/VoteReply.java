package io.keyhold.internal.store;

import java.util.Optional;
import java.util.OptionalLong;

/** What a node of a quorum answers to a request for its vote. */
public sealed interface VoteReply {

    /** Which server answered, whatever name it was reached by: the same for two nodes only if they are one server at that time. */
    String server();

    /**
     * The lock is the asker's on this node.
     *
     * @param number the node's fencing counter
     * @param server which server answered
     */
    record Granted(long number, String server) implements VoteReply {}

    /**
     * Somebody else has it there, or nobody and the request said to leave it.
     *
     * @param holder who
     * @param remainingMillis when that ends by itself; empty if never
     * @param server which server answered
     */
    record Busy(Optional<String> holder, OptionalLong remainingMillis, String server) implements VoteReply {}

    /**
     * The node was started anew and may have forgotten what it granted: it does not vote.
     *
     * @param remainingMillis for how long yet
     * @param server which server answered
     */
    record Abstained(long remainingMillis, String server) implements VoteReply {}
}
