package io.keyhold.internal.store.quorum;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Releases a hold on all nodes, on each after its replies to votes for the same token. Nodes that fail are released in the background. */
record QuorumRelease(Quorum quorum, Broadcast broadcast, InFlightVotes inFlight, NodeReleasers releasers) {

    /** {@code places} is where the waiter queues at a node. */
    CompletionStage<HoldReply> release(
            ReleaseRequest request, Function<VotingNode, Optional<QueuePlace>> places, CallMode mode) {
        request.place().ifPresent(inFlight::left);
        Runnable sent = inFlight.released(request.token());
        AtomicInteger open = new AtomicInteger(quorum.size());
        MajorityTally tally = new MajorityTally(quorum, request.claim(), MajorityTally.Purpose.RELEASE);
        long lease = quorum.settings().longestLease().toMillis();
        Function<VotingNode, ReleaseRequest> each =
                node -> request.at(places.apply(node)).replyingTo(Optional.empty());
        Duration timeout = quorum.settings().majorityTimeoutFor(lease);
        broadcast.send(quorum.nodes(), timeout, mode, new NodeRelease(inFlight, each), (node, reply) -> {
            tally.add(node, reply);
            if (reply.isCompletedExceptionally()) {
                releasers.release(node, each.apply(node), lease);
            }
            if (open.decrementAndGet() == 0) {
                sent.run();
            }
        });
        return tally.result().thenApply(StoreFailure::known);
    }

    private record NodeRelease(InFlightVotes inFlight, Function<VotingNode, ReleaseRequest> each)
            implements Broadcast.Request<HoldReply> {

        @Override
        public CompletionStage<HoldReply> request(VotingNode node, @Nullable Consumer<PendingReply> unread) {
            ReleaseRequest request = each.apply(node);
            return inFlight.repliesOf(node, request.token()).thenCompose(replied -> node.giveUp(request, unread));
        }

        /** The first request may have ended the hold before its reply was lost, so that "not held" says nothing. */
        @Override
        public CompletionStage<HoldReply> retry(VotingNode node) {
            return request(node, null).thenApply(reply -> {
                if (reply instanceof HoldReply.Done) {
                    return reply;
                }
                throw new StoreUnavailableException(
                        "the connection broke, and the lock may have been released", true, null);
            });
        }
    }
}
