package io.keyhold.internal.store;

import java.util.Optional;
import java.util.OptionalLong;

/** The reply of a node of a quorum to a request for its vote. */
public sealed interface VoteReply {

    /** Returns which server replied, independent of its address: the same for two nodes only if they are one server at that time. */
    String server();

    /**
     * The token holds the lock on this node.
     *
     * @param number the node's fencing counter
     * @param server which server replied
     */
    record Granted(long number, String server) implements VoteReply {}

    /**
     * Another token holds the lock there, or none does and the request said to leave it.
     *
     * @param holder the token that holds it
     * @param remainingMillis when that hold expires; empty if never
     * @param server which server replied
     */
    record Busy(Optional<String> holder, OptionalLong remainingMillis, String server) implements VoteReply {}

    /**
     * The node is quarantined: it was restarted or promoted, and may have lost what it granted.
     *
     * @param remainingMillis for how long
     * @param server which server replied
     */
    record Abstained(long remainingMillis, String server) implements VoteReply {}
}
