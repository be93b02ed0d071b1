package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.time.Scheduler;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The background releaser of each node. What a dead node does not release must not delay the others. */
final class NodeReleasers {

    /** Enough to release at once what is lost in votes, and few enough to leave a node's connections to requests. */
    private static final int MOST_IN_FLIGHT = 16;

    private static final int MOST_TASKS = 10_000;

    private final KeyholdClock clock;
    private final Map<VotingNode, BackgroundReleaser> byNode = new LinkedHashMap<>();

    NodeReleasers(Quorum quorum, KeyholdClock clock, Scheduler scheduler) {
        this.clock = clock;
        quorum.nodes()
                .forEach(node -> byNode.put(
                        node,
                        new BackgroundReleaser(
                                request -> node.giveUp(request, null),
                                key -> node,
                                clock,
                                scheduler,
                                MOST_IN_FLIGHT,
                                MOST_TASKS)));
    }

    /** Releases on one node what a request of unknown outcome may have got there, with a lease of this length. */
    void release(VotingNode node, ReleaseRequest request, long leaseMillis) {
        of(node).release(request.claim(), request, expiry(leaseMillis));
    }

    /** Releases on one node what it has granted, as its reply to the only request has told. */
    void releaseGrant(VotingNode node, ReleaseRequest request, long leaseMillis) {
        of(node).releaseGrant(request.claim(), request, expiry(leaseMillis));
    }

    private BackgroundReleaser of(VotingNode node) {
        return Objects.requireNonNull(byNode.get(node));
    }

    /** From now on, because the request may be executed as late as now. */
    private BackgroundReleaser.Expiry expiry(long leaseMillis) {
        long end = clock.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        return time -> end - time.monotonicNanos();
    }

    /** Returns what is done when everything is released that is being released now. */
    CompletableFuture<Void> unfinished() {
        return CompletableFuture.allOf(
                byNode.values().stream().map(BackgroundReleaser::unfinished).toArray(CompletableFuture[]::new));
    }
}
