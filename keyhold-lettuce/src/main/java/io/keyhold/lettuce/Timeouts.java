package io.keyhold.lettuce;

import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Time limits of stages. */
final class Timeouts {

    private Timeouts() {}

    /** Gives up after the time with a {@link java.util.concurrent.TimeoutException}; what comes later is handed over. */
    static <T> CompletableFuture<T> within(Duration time, CompletionStage<T> attempt, Consumer<T> tooLate) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Stages.unwrapped(failure));
            } else if (!result.complete(value)) {
                tooLate.accept(value);
            }
        });
        return result.orTimeout(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
