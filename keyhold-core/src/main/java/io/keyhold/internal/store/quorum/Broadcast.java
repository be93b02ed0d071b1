package io.keyhold.internal.store.quorum;

import io.keyhold.internal.Exceptions;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to many nodes at once. The listener gets one reply of each node, or that it took too long; a reply after that is a
 * late one.
 */
final class Broadcast {

    private final Scheduler scheduler;

    Broadcast(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** What is sent to each node. */
    interface Request<T> {

        /** {@code unread} is there if a thread waits for the outcome: a node that can leaves its reply to that. */
        CompletionStage<T> request(VotingNode node, @Nullable Consumer<PendingReply> unread);

        /** Sends it again after the connection broke: it may have been idle and closed long ago, or the reply was lost. */
        default CompletionStage<T> retry(VotingNode node) {
            return request(node, null);
        }
    }

    /** Gets the replies. Those of one node come one after the other. */
    interface Listener<T> {

        /** Gets the node's reply, or its failure; a {@link TimeoutException} if there was none in time. */
        void onReply(VotingNode node, CompletableFuture<T> reply);

        /** Gets a reply, or a failure, that comes after the timeout. */
        default void onLateReply(VotingNode node, CompletableFuture<T> reply) {}
    }

    /** Sends to each node. A thread that waits for the outcome reads the replies of those that are quick, before this returns. */
    <T> void send(List<VotingNode> nodes, Duration timeout, CallMode mode, Request<T> request, Listener<T> listener) {
        List<CompletableFuture<T>> replies = new ArrayList<>(nodes.size());
        ReplyReader reader = new ReplyReader();
        try {
            for (VotingNode node : nodes) {
                replies.add(send(node, mode == CallMode.BLOCKING ? reader : null, request, listener));
            }
        } finally {
            reader.readAll();
        }
        limit(replies, timeout);
    }

    private <T> void limit(List<CompletableFuture<T>> replies, Duration timeout) {
        List<CompletableFuture<T>> open =
                replies.stream().filter(reply -> !reply.isDone()).toList();
        if (open.isEmpty()) {
            return;
        }
        AtomicInteger missing = new AtomicInteger(open.size());
        // Runs from when all requests are sent: the first may have to open a connection.
        Scheduler.Timer timer = scheduler.schedule(
                timeout.toNanos(),
                () -> open.forEach(reply -> reply.completeExceptionally(new TimeoutException("no reply in time"))));
        for (CompletableFuture<T> reply : open) {
            reply.whenComplete((value, failure) -> {
                if (missing.decrementAndGet() == 0) {
                    timer.cancel();
                }
            });
        }
    }

    /** The reply of a node, or why there is none. */
    record NodeReply<T>(VotingNode node, Optional<T> reply, Optional<Throwable> failure) {

        Optional<String> trouble() {
            return failure.map(reason -> NodeOutcome.of(reason).text());
        }
    }

    /** Returns the reply of each node, in their order, when all have replied or took too long. */
    <T> CompletionStage<List<NodeReply<T>>> gather(List<VotingNode> nodes, Duration timeout, Request<T> request) {
        Map<VotingNode, CompletableFuture<NodeReply<T>>> replies = new LinkedHashMap<>();
        nodes.forEach(node -> replies.put(node, new CompletableFuture<>()));
        send(
                nodes,
                timeout,
                CallMode.ASYNCHRONOUS,
                request,
                (node, reply) -> reply.whenComplete((value, failure) -> Objects.requireNonNull(replies.get(node))
                        .complete(new NodeReply<>(
                                node,
                                Optional.ofNullable(value),
                                Optional.ofNullable(failure).map(Stages::unwrapped)))));
        return all(List.copyOf(replies.values()));
    }

    /** Returns all values, in their order, when the last is there. */
    static <T> CompletionStage<List<T>> all(List<CompletableFuture<T>> stages) {
        return CompletableFuture.allOf(stages.toArray(CompletableFuture[]::new))
                .thenApply(done -> stages.stream().map(CompletableFuture::join).toList());
    }

    private static <T> CompletableFuture<T> send(
            VotingNode node, @Nullable Consumer<PendingReply> unread, Request<T> request, Listener<T> listener) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        CompletableFuture<T> told = reply.whenComplete((value, failure) -> listener.onReply(node, reply));
        sendTwiceIfCut(node, unread, request).whenComplete((value, failure) -> {
            boolean inTime = failure == null ? reply.complete(value) : reply.completeExceptionally(failure);
            if (!inTime) {
                CompletableFuture<T> late = failure == null
                        ? CompletableFuture.completedFuture(value)
                        : CompletableFuture.failedFuture(failure);
                // The timer may have completed the reply and not have told the listener so far: if that heard of the
                // timeout after the late reply, the timeout would count for good.
                told.whenComplete((nothing, timeout) -> listener.onLateReply(node, late));
            }
        });
        return reply;
    }

    /** If both fail, the first failure counts: the retry may be certain that nothing was done, but the first request may have been. */
    private static <T> CompletionStage<T> sendTwiceIfCut(
            VotingNode node, @Nullable Consumer<PendingReply> unread, Request<T> request) {
        return Stages.recover(
                Stages.flat(() -> request.request(node, unread)),
                failure -> Exceptions.isCut(failure)
                        ? Stages.recover(
                                Stages.flat(() -> request.retry(node)),
                                again -> CompletableFuture.failedStage(withSuppressed(failure, again)))
                        : CompletableFuture.failedStage(failure));
    }

    private static Throwable withSuppressed(Throwable failure, Throwable again) {
        if (again != failure) {
            failure.addSuppressed(again);
        }
        return failure;
    }
}
