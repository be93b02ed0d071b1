package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Renews holds on all nodes: a hold goes on if a majority has it. A node that has lost it (it was restarted, say, and votes again) is asked
 * for its vote once more. Otherwise a lease that is held for days would be lost when the last node of a majority has been restarted,
 * although never more than one was down at a time.
 */
record QuorumRenew(
        Quorum quorum, VoteRequests votes, Broadcast broadcast, InFlightVotes inFlight, NodeReleasers releasers) {

    CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests) {
        List<Renewal> renewals = requests.stream().map(Renewal::new).toList();
        long shortest = requests.stream()
                .mapToLong(RenewRequest::leaseMillis)
                .filter(lease -> lease != AcquireRequest.NO_EXPIRY)
                .min()
                .orElse(quorum.settings().longestLease().toMillis());
        broadcast.send(
                quorum.nodes(),
                quorum.settings().majorityTimeoutFor(shortest),
                CallMode.ASYNCHRONOUS,
                (node, unread) -> renewAt(node, requests),
                (node, reply) -> {
                    for (int i = 0; i < renewals.size(); i++) {
                        int index = i;
                        renewals.get(i).onReply(node, reply.thenApply(replies -> replies.get(index)));
                    }
                });
        return Broadcast.all(
                renewals.stream().map(renewal -> renewal.tally.result()).toList());
    }

    /** A node may refuse all of them because of one key: then each is renewed by itself. */
    private static CompletionStage<List<HoldReply>> renewAt(VotingNode node, List<RenewRequest> requests) {
        return Stages.recover(node.renew(requests, CallMode.ASYNCHRONOUS), failure -> {
            if (requests.size() == 1 || !StoreFailure.isRefusal(failure) || StoreFailure.isPassing(failure)) {
                return CompletableFuture.failedFuture(failure);
            }
            return Broadcast.all(requests.stream()
                    .map(request -> node.renew(List.of(request), CallMode.ASYNCHRONOUS)
                            .thenApply(replies -> replies.get(0))
                            .exceptionally(its ->
                                    new HoldReply.Unknown(NodeOutcome.of(its).text()))
                            .toCompletableFuture())
                    .toList());
        });
    }

    /** The renewal of one hold. */
    private final class Renewal {

        private final RenewRequest request;
        private final MajorityTally tally;
        private final InFlightVotes.Vote vote;

        Renewal(RenewRequest request) {
            this.request = request;
            this.tally = new MajorityTally(quorum, request.claim(), MajorityTally.Purpose.RENEW);
            this.vote = inFlight.begin(request.token(), quorum.nodes());
        }

        void onReply(VotingNode node, CompletableFuture<HoldReply> reply) {
            if (isDone(reply)) {
                votes.voted(node); // Before it counts: its vote may have had no reply.
            }
            tally.add(node, reply);
            if (!isFree(reply) || request.leaseMillis() == AcquireRequest.NO_EXPIRY) {
                vote.replied(node);
                return;
            }
            tally.result().thenAccept(decided -> {
                if (decided instanceof HoldReply.Done && vote.isWanted()) {
                    repair(node);
                } else {
                    vote.replied(node);
                }
            });
        }

        private static boolean isDone(CompletableFuture<HoldReply> reply) {
            return !reply.isCompletedExceptionally() && reply.join() instanceof HoldReply.Done;
        }

        private static boolean isFree(CompletableFuture<HoldReply> reply) {
            return !reply.isCompletedExceptionally()
                    && reply.join() instanceof HoldReply.NotHeld lost
                    && lost.holder().isEmpty();
        }

        private void repair(VotingNode node) {
            VoteRequest repair = votes.toRepair(request);
            node.vote(repair, null).whenComplete((reply, failure) -> {
                if (reply instanceof VoteReply.Granted) {
                    votes.voted(node);
                }
                if (failure != null && !vote.isWanted()) {
                    // Without a failure, the release waits for this reply.
                    releasers.release(node, ReleaseRequest.of(repair.claim(), repair.token()), repair.leaseMillis());
                }
                vote.replied(node);
            });
        }
    }
}
