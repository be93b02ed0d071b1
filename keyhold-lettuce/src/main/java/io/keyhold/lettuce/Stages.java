package io.keyhold.lettuce;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Stages that fail with the exception itself, and not with the wrapping that Java's own add on the way. */
final class Stages {

    private Stages() {}

    /** As {@code thenCompose}. */
    static <A, B> CompletableFuture<B> compose(
            CompletionStage<A> first, Function<? super A, ? extends CompletionStage<B>> next) {
        CompletableFuture<B> result = new CompletableFuture<>();
        first.whenComplete((value, failure) -> {
            if (failure == null) {
                forward(flat(() -> next.apply(value)), result);
            } else {
                result.completeExceptionally(unwrapped(failure));
            }
        });
        return result;
    }

    /** As {@code exceptionallyCompose}. */
    static <T> CompletableFuture<T> recover(
            CompletionStage<T> first, Function<Throwable, ? extends CompletionStage<T>> next) {
        CompletableFuture<T> result = new CompletableFuture<>();
        first.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                forward(flat(() -> next.apply(unwrapped(failure))), result);
            }
        });
        return result;
    }

    /** What the work answers; what it throws fails the stage. */
    static <T> CompletionStage<T> flat(Work<T> work) {
        try {
            return work.start();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Work that may throw instead of answering. */
    interface Work<T> {
        /** Starts it. */
        CompletionStage<T> start();
    }

    /** Completes {@code target} as {@code source} completes. */
    static <T> void forward(CompletionStage<T> source, CompletableFuture<T> target) {
        source.whenComplete((value, failure) -> {
            if (failure == null) {
                target.complete(value);
            } else {
                target.completeExceptionally(unwrapped(failure));
            }
        });
    }

    /** Gives up after the time with a {@link java.util.concurrent.TimeoutException}; what comes later is handed over. */
    static <T> CompletableFuture<T> within(Duration time, CompletionStage<T> attempt, Consumer<T> tooLate) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(unwrapped(failure));
            } else if (!result.complete(value)) {
                tooLate.accept(value);
            }
        });
        return result.orTimeout(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
