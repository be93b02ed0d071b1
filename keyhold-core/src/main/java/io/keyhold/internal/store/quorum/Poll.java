package io.keyhold.internal.store.quorum;

import io.keyhold.internal.Exceptions;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * One question to many nodes at once. Each answer is heard once, be it the node's or that it took too long; what a node says
 * after that is heard as late. Whoever listens hears one thing at a time.
 */
final class Poll {

    private final Scheduler scheduler;

    Poll(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** What a node is asked. */
    interface Question<T> {

        /** Asks it. */
        CompletionStage<T> put(NodeStore node);

        /** Asks once more after the connection broke: it may have been idle and closed long ago, or the answer was lost. */
        default CompletionStage<T> putAgain(NodeStore node) {
            return put(node);
        }
    }

    /** Who hears the answers. */
    interface Listener<T> {

        /** The node's answer, or its failure; a {@link TimeoutException} if there was none in time. */
        void heard(NodeStore node, CompletableFuture<T> answer);

        /** The answer came after all, or a failure, when it was counted as none. */
        default void heardLate(NodeStore node, CompletableFuture<T> answer) {}
    }

    <T> void ask(List<NodeStore> nodes, Duration timeout, Question<T> question, Listener<T> listener) {
        List<CompletableFuture<T>> answers = new ArrayList<>(nodes.size());
        for (NodeStore node : nodes) {
            CompletableFuture<T> answer = ask(node, question, listener);
            if (!answer.isDone()) {
                answers.add(answer);
            }
        }
        if (answers.isEmpty()) {
            return;
        }
        AtomicInteger open = new AtomicInteger(answers.size());
        // From when all questions are out: the first may have to make a client.
        Scheduler.Timer timer = scheduler.schedule(timeout.toNanos(), () -> {
            for (CompletableFuture<T> answer : answers) {
                answer.completeExceptionally(new TimeoutException("no answer in time"));
            }
        });
        for (CompletableFuture<T> answer : answers) {
            answer.whenComplete((reply, failure) -> {
                if (open.decrementAndGet() == 0) {
                    timer.cancel();
                }
            });
        }
    }

    /** What each node answered, in their order, when all have or took too long. */
    <T> CompletionStage<Map<NodeStore, CompletableFuture<T>>> gather(
            List<NodeStore> nodes, Duration timeout, Question<T> question) {
        Map<NodeStore, CompletableFuture<T>> answers = new LinkedHashMap<>();
        nodes.forEach(node -> answers.put(node, new CompletableFuture<>()));
        ask(nodes, timeout, question, (node, answer) -> {
            CompletableFuture<T> known = Objects.requireNonNull(answers.get(node));
            answer.whenComplete((reply, failure) -> {
                if (failure == null) {
                    known.complete(reply);
                } else {
                    known.completeExceptionally(failure);
                }
            });
        });
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .handle((nothing, failure) -> answers);
    }

    private static <T> CompletableFuture<T> ask(NodeStore node, Question<T> question, Listener<T> listener) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<T> heard = answer.whenComplete((reply, failure) -> listener.heard(node, answer));
        asked(node, question).whenComplete((reply, failure) -> {
            boolean inTime = failure == null ? answer.complete(reply) : answer.completeExceptionally(failure);
            if (!inTime) {
                CompletableFuture<T> late = failure == null
                        ? CompletableFuture.completedFuture(reply)
                        : CompletableFuture.failedFuture(failure);
                // The timer may have just decided that the node is silent, and not have said so: heard after the late
                // reply, that would count for good.
                heard.whenComplete((nothing, timeout) -> listener.heardLate(node, late));
            }
        });
        return answer;
    }

    private static <T> CompletionStage<T> asked(NodeStore node, Question<T> question) {
        return asked(() -> question.put(node))
                .exceptionallyCompose(failure -> Exceptions.isCut(failure)
                        ? asked(() -> question.putAgain(node))
                                .exceptionallyCompose(again -> CompletableFuture.failedStage(both(failure, again)))
                        : CompletableFuture.failedStage(failure));
    }

    /** The first failure counts, though the second may be certain that nothing was done: what was asked first may have been. */
    private static Throwable both(Throwable first, Throwable again) {
        Throwable unknown = Stages.unwrapped(first);
        Throwable second = Stages.unwrapped(again);
        if (second != unknown) {
            unknown.addSuppressed(second);
        }
        return unknown;
    }

    private static <T> CompletionStage<T> asked(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
