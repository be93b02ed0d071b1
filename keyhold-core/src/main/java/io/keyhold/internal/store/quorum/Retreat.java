package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VoteRequest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives back, in the background, what a request without a majority may have got: also on nodes that seemed to fail. It
 * repeats until the node has answered, or the lease must be over. One answer of "not held" is not enough: the release may
 * overtake the vote that it takes back (see the engine's {@code Undo}). The token is never used again, so that a release too
 * many hurts nobody.
 */
final class Retreat {

    private static final int ENOUGH_DENIALS = 3;
    private static final long[] PAUSES_MILLIS = {0, 100, 1_000, 5_000};

    private final Quorum quorum;
    private final Set<Task> underWay = ConcurrentHashMap.newKeySet();

    Retreat(Quorum quorum) {
        this.quorum = quorum;
    }

    private static final class Task {
        final NodeStore node;
        final ReleaseRequest request;
        final long endsAtNanos;
        final CompletableFuture<Boolean> done = new CompletableFuture<>();
        int attempts;
        int denials;

        Task(NodeStore node, ReleaseRequest request, long endsAtNanos) {
            this.node = node;
            this.request = request;
            this.endsAtNanos = endsAtNanos;
        }
    }

    /** From one node, with the place in its queue that the request names. */
    void from(NodeStore node, VoteRequest vote) {
        from(node, vote.claim(), vote.token(), vote.place(), vote.leaseMillis());
    }

    void from(NodeStore node, Claim claim, String token, Optional<QueuePlace> place, long leaseMillis) {
        if (!quorum.rules().givesBack()) {
            return;
        }
        long ends = quorum.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        Task task = new Task(node, new ReleaseRequest(claim, token, place), ends);
        underWay.add(task);
        send(task);
    }

    /** Out of the queue of a node that did not grant to the winner. If that fails, whoever frees the lock tells nobody, once. */
    void leaveQueue(NodeStore node, VoteRequest ballot) {
        node.giveUp(new ReleaseRequest(ballot.claim(), ballot.token(), ballot.place()));
    }

    /** Done when everything has been given back that is being given back now. */
    CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(underWay.stream().map(task -> task.done).toArray(CompletableFuture[]::new));
    }

    private void send(Task task) {
        task.attempts++;
        try {
            task.node.giveUp(task.request).whenComplete((reply, failure) -> answered(task, reply));
        } catch (RuntimeException e) {
            answered(task, null);
        }
    }

    private void answered(Task task, @Nullable HoldReply reply) {
        if (reply instanceof HoldReply.NotHeld) {
            task.denials++;
        }
        boolean over = quorum.clock().monotonicNanos() - task.endsAtNanos > 0;
        if (reply instanceof HoldReply.Done || task.denials >= ENOUGH_DENIALS || over) {
            underWay.remove(task);
            task.done.complete(true);
            return;
        }
        long pause = PAUSES_MILLIS[Math.min(task.attempts, PAUSES_MILLIS.length - 1)];
        quorum.timers().after(TimeUnit.MILLISECONDS.toNanos(pause), () -> send(task));
    }
}
