package io.keyhold.internal.store;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a quorum asks of one of its nodes. A node's clock and the order of its queue decide nothing there: a lock is granted by
 * votes, with a fencing token that the client proposes, and a release hands the lock to no waiter, but notifies the head of the
 * queue that it may ask again.
 *
 * <p>Operations are atomic and idempotent by token, as those of a {@link LockStore}. The four that both have are the same ones,
 * so that a store that implements both has them once. Closing a node is left to its owner.
 */
public interface VotingNode {

    /** Returns where the node is, for messages. */
    String address();

    /**
     * Takes what is claimed if it is free, or extends it if this token holds it already, and sets the fencing counter of each key
     * to the larger of the proposal and the successor of its last number. A quarantined node abstains.
     *
     * @param unread takes the reply if the caller is ready to read it and the node can leave it to be read; null to read it elsewhere
     */
    CompletionStage<VoteReply> vote(VoteRequest request, @Nullable Consumer<PendingReply> unread);

    /** Raises the fencing counter of each key to this number, and returns true, if this token still holds all of them. */
    CompletionStage<Boolean> raise(Claim claim, String token, long number);

    /**
     * Returns for how many milliseconds a vote would be refused from now on; 0 if it would not. A quarantine that is due starts
     * with this call, but never ends with it.
     */
    CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission);

    /**
     * Releases what this token holds, leaves the queue, and notifies the head of the queue. A rest is as that of {@link LockStore#release}.
     *
     * @param unread as that of {@link #vote}
     */
    CompletionStage<HoldReply> giveUp(ReleaseRequest request, @Nullable Consumer<PendingReply> unread);

    /** As {@link LockStore#renew}. */
    CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode);

    /** As {@link LockStore#look}. */
    CompletionStage<LockSnapshot> look(String key, CallMode mode);

    /** As {@link LockStore#list}. */
    CompletionStage<LockStore.Page> list(String pattern, String cursor, CallMode mode);

    /** As {@link LockStore#openGrantChannel}. */
    CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener);
}
