package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Builds the vote requests of a client from what it has learned: the largest fencing token, and which nodes have voted. */
final class VoteRequests {

    private final Quorum quorum;
    private final KeyholdClock clock;
    private final AtomicLong largestToken = new AtomicLong();
    private final AtomicReference<OptionalLong> startedNanos = new AtomicReference<>(OptionalLong.empty());
    /** Nodes that have voted for this client. One of them that has no marker has lost its data. */
    private final Set<VotingNode> voted = ConcurrentHashMap.newKeySet();

    VoteRequests(Quorum quorum, KeyholdClock clock) {
        this.quorum = quorum;
        this.clock = clock;
    }

    /** Returns the request for each node. All have the same proposal; {@code places} is where the waiter queues there. */
    Map<VotingNode, VoteRequest> forAll(AcquireRequest request, Function<VotingNode, Optional<QueuePlace>> places) {
        long proposal = proposal();
        Map<VotingNode, VoteRequest> votes = new LinkedHashMap<>();
        for (VotingNode node : quorum.nodes()) {
            VoteRequest.IfFresh ifFresh = mayBeNew(node) ? VoteRequest.IfFresh.ADMIT : VoteRequest.IfFresh.WAIT;
            votes.put(
                    node,
                    new VoteRequest(
                            request.claim(),
                            request.token(),
                            request.leaseMillis(),
                            request.ifFree(),
                            places.apply(node),
                            proposal,
                            quorum.settings().admission(ifFresh)));
        }
        return votes;
    }

    /** Returns the request for a node that has lost a hold. Its number does not matter: it is above those that it gave before. */
    VoteRequest toRepair(RenewRequest request) {
        return new VoteRequest(
                request.claim(),
                request.token(),
                request.leaseMillis(),
                AcquireRequest.IfFree.TAKE,
                Optional.empty(),
                proposal(),
                quorum.settings().admission(VoteRequest.IfFresh.WAIT));
    }

    /** Above all that this client has seen, and the same number for all nodes if clocks agree. */
    private long proposal() {
        return largestToken.accumulateAndGet(
                TimeUnit.MILLISECONDS.toMicros(clock.wallMillis()), (largest, now) -> Math.max(largest + 1, now));
    }

    /**
     * Whether a node without a marker is admitted: if the client was told that its nodes are new, this one has not voted before, and the
     * client started less than a longest lease ago. A node that shows up later has lost its data.
     */
    private boolean mayBeNew(VotingNode node) {
        long now = clock.monotonicNanos();
        long started = startedNanos
                .updateAndGet(known -> known.isPresent() ? known : OptionalLong.of(now))
                .getAsLong();
        return quorum.settings().admitFresh()
                && !voted.contains(node)
                && now - started < quorum.settings().longestLease().toNanos();
    }

    void issued(long fencingToken) {
        largestToken.accumulateAndGet(fencingToken, Math::max);
    }

    void voted(VotingNode node) {
        voted.add(node);
    }

    /** Returns how long to wait for a majority: longer until one has voted, because connections have to be opened, in a cold JVM. */
    Duration majorityTimeout(AcquireRequest request) {
        return quorum.isMajority(voted.size())
                ? quorum.settings().majorityTimeoutFor(request.leaseMillis())
                : quorum.settings().firstMajorityTimeoutFor(request.leaseMillis());
    }
}
