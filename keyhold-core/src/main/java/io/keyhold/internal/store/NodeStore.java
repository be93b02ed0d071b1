package io.keyhold.internal.store;

import java.util.concurrent.CompletionStage;

/**
 * A store that can be one of several in a quorum. Its own clock and its own order of waiters mean nothing there: a lock is
 * granted by a vote, with a number that the voter proposes, and whoever gives it up hands it to nobody, but tells the first
 * who waits to ask.
 */
public interface NodeStore extends LockStore {

    /** Where it is, for messages. */
    String address();

    /**
     * Takes what is claimed if it is free, or goes on with it if this token holds it already; and sets the fencing counter of
     * each key to the larger of the number proposed and the next after its last. Unless the node may not vote yet.
     */
    CompletionStage<VoteReply> vote(VoteRequest request);

    /**
     * Raises the fencing counter of each key to this number, if this token still holds all of them. Answers whether it did.
     */
    CompletionStage<Boolean> raise(RaiseRequest request);

    /** For how many milliseconds a vote would be refused from now on; 0 if it would not. It begins by that, and does not end. */
    CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission);

    /** Frees what this token holds, and leaves the queue. The first in the queue is told to ask. */
    CompletionStage<HoldReply> giveUp(ReleaseRequest request);
}
