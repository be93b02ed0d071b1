package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The renewal of one hold at all nodes. A node that has lost it (it was restarted, say, and may vote again) is asked for its vote
 * anew, if a majority has renewed: else a lease that is held for days would be lost when the last node of a majority has been
 * restarted, though never more than one was away at a time.
 */
final class Renewal {

    private final Quorum quorum;
    private final RenewRequest request;
    private final Count count;
    private final Interests.Interest interest;

    Renewal(Quorum quorum, RenewRequest request) {
        this.quorum = quorum;
        this.request = request;
        this.count = new Count(quorum, Count.Purpose.KEEPING);
        this.interest = quorum.interests().begin(request.token(), quorum.nodes());
    }

    /** What a majority says, or that too few answered. */
    CompletableFuture<HoldReply> result() {
        return count.result()
                .thenApply(reply -> reply.orElseGet(() -> new HoldReply.Unknown(count.tooFew(request.claim()))));
    }

    void heard(NodeStore node, CompletableFuture<HoldReply> answer) {
        count.add(node, answer);
        if (isFree(answer) && request.leaseMillis() != AcquireRequest.NO_EXPIRY) {
            count.result().thenAccept(reply -> {
                if (reply.filter(HoldReply.Done.class::isInstance).isPresent() && interest.isAlive()) {
                    repair(node);
                } else {
                    interest.heard(node);
                }
            });
        } else {
            interest.heard(node);
        }
    }

    private static boolean isFree(CompletableFuture<HoldReply> answer) {
        return !answer.isCompletedExceptionally()
                && answer.join() instanceof HoldReply.NotHeld lost
                && lost.holder().isEmpty();
    }

    /** The number that the node gives does not matter: it is above those that it gave before, and so are all after it. */
    private void repair(NodeStore node) {
        VoteRequest vote = new VoteRequest(
                request.claim(),
                request.token(),
                request.leaseMillis(),
                AcquireRequest.IfFree.TAKE,
                Optional.empty(),
                quorum.proposal(),
                new VoteRequest.Admission(quorum.settings().longestLease().toMillis(), VoteRequest.IfFresh.WAIT));
        node.vote(vote).whenComplete((reply, failure) -> {
            if (failure != null && !interest.isAlive()) {
                quorum.retreat().from(node, vote); // Else it is given up when this has been heard.
            }
            interest.heard(node);
        });
    }
}
