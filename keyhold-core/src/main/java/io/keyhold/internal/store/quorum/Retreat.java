package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VoteRequest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives back, in the background, what a request without a majority may have got: also on nodes that seemed to fail. It
 * repeats until the node has answered, or the lease must be over. The token is never used again, so that a release too
 * many hurts nobody.
 */
final class Retreat {

    private final Quorum quorum;
    private final Map<NodeStore, NodeRetreat> byNode = new ConcurrentHashMap<>();

    Retreat(Quorum quorum) {
        this.quorum = quorum;
    }

    /** From one node, with the place in its queue that the request names. */
    void from(NodeStore node, VoteRequest vote) {
        from(node, vote.claim(), vote.token(), vote.place(), vote.leaseMillis());
    }

    void from(NodeStore node, Claim claim, String token, Optional<QueuePlace> place, long leaseMillis) {
        if (quorum.rules().givesBack()) {
            byNode.computeIfAbsent(node, added -> new NodeRetreat(quorum, added))
                    .add(new ReleaseRequest(claim, token, place), leaseMillis);
        }
    }

    /**
     * Out of this node's queue, if it stands there, and nothing else: by the token that the place was taken with, which was refused then and holds nothing,
     * whereas the one that asks now may have won. If that fails, whoever frees the lock tells nobody, once.
     */
    void leaveQueue(NodeStore node, VoteRequest ballot) {
        ballot.place()
                .ifPresent(place -> node.giveUp(new ReleaseRequest(ballot.claim(), place.token(), ballot.place())));
    }

    /** Done when everything has been given back that is being given back now. */
    CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(byNode.values().stream()
                .flatMap(node -> node.unfinished().stream())
                .toArray(CompletableFuture[]::new));
    }
}
