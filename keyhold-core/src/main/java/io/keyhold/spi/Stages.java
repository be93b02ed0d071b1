package io.keyhold.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Stages that fail with the exception itself, and not with the {@link CompletionException} that Java's own put around it on
 * the way. For drivers.
 */
public final class Stages {

    private Stages() {}

    /** {@return the stage that the work returns; what it throws fails the stage} */
    public static <T> CompletionStage<T> flat(Supplier<? extends CompletionStage<T>> work) {
        try {
            return work.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** {@return what {@code first.thenCompose(next)} returns, with failures unwrapped} */
    public static <A, B> CompletableFuture<B> compose(
            CompletionStage<A> first, Function<? super A, ? extends CompletionStage<B>> next) {
        return then(first, next, CompletableFuture::failedFuture);
    }

    /** {@return what {@code first.exceptionallyCompose(next)} returns, with failures unwrapped} */
    public static <T> CompletableFuture<T> recover(
            CompletionStage<T> first, Function<Throwable, ? extends CompletionStage<T>> next) {
        return then(first, CompletableFuture::completedFuture, next);
    }

    private static <A, B> CompletableFuture<B> then(
            CompletionStage<A> first,
            Function<? super A, ? extends CompletionStage<B>> onValue,
            Function<Throwable, ? extends CompletionStage<B>> onFailure) {
        CompletableFuture<B> result = new CompletableFuture<>();
        first.whenComplete((value, failure) -> forward(
                flat(() -> failure == null ? onValue.apply(value) : onFailure.apply(unwrapped(failure))), result));
        return result;
    }

    /** Completes {@code target} as {@code source} completes. */
    public static <T> void forward(CompletionStage<T> source, CompletableFuture<T> target) {
        source.whenComplete((value, failure) -> {
            if (failure == null) {
                target.complete(value);
            } else {
                target.completeExceptionally(unwrapped(failure));
            }
        });
    }

    /** {@return the failure without the wrapping that stages put around it} */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
