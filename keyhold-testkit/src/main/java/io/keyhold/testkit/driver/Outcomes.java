package io.keyhold.testkit.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for stages, and says what came of them. */
final class Outcomes {

    /** Far longer than any test takes. */
    static final long LIMIT_SECONDS = 60;

    private Outcomes() {}

    /** What the stage completes with. */
    static <T> T reply(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("not complete after " + LIMIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** What the stage fails with: the exception as a continuation sees it, wrapped by nothing. */
    static Throwable failure(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Throwable> seen = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> seen.complete(failure));
        Throwable failure = reply(seen);
        if (failure == null) {
            throw new AssertionError("expected a failure, but got " + reply(stage));
        }
        return failure;
    }

    /** The error reply that the stage fails with. */
    static RedisErrorException error(CompletionStage<?> stage) {
        Throwable failure = failure(stage);
        assertThat(failure).isInstanceOf(RedisErrorException.class);
        return (RedisErrorException) failure;
    }

    /** The failure of the connection that the stage fails with. */
    static RedisConnectionException connectionFailure(CompletionStage<?> stage) {
        Throwable failure = failure(stage);
        assertThat(failure).isInstanceOf(RedisConnectionException.class);
        return (RedisConnectionException) failure;
    }

    /** Asks until it is so. For what announces itself in no other way. */
    static void eventually(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not after " + LIMIT_SECONDS + " s: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** Lets at least so much time pass. For what is about time alone. */
    static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
