package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {

    private final ConcurrencyLimit limit = new ConcurrencyLimit(2);
    private final List<CompletableFuture<String>> started = new ArrayList<>();

    private CompletionStage<String> start() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        started.add(operation);
        return operation;
    }

    @Test
    void operationsBeyondLimitRunInOrder() {
        for (int i = 0; i < 5; i++) {
            limit.submit(this::start);
        }
        assertThat(started).hasSize(2);
        started.get(1).complete("done");
        assertThat(started).hasSize(3);
        started.get(0).completeExceptionally(new IllegalStateException("failed"));
        assertThat(started).hasSize(4);
    }

    @Test
    void throwingOperationFailsAndFreesItsSlot() {
        List<CompletableFuture<String>> results = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            results.add(limit.<String>submit(() -> {
                        throw new IllegalStateException("thrown");
                    })
                    .toCompletableFuture());
        }
        assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
        limit.submit(this::start);
        assertThat(started).hasSize(1);
    }

    @Test
    void operationThatThrowsAnErrorFails() {
        CompletableFuture<String> failed = limit.submit(() -> {
            throw new NoSuchMethodError("of another version of the driver");
        });
        assertThat(failed).isCompletedExceptionally();
    }

    @Test
    void immediateOperationsDoNotGrowStack() {
        List<CompletableFuture<String>> results = new ArrayList<>();
        limit.submit(this::start);
        limit.submit(this::start);
        for (int i = 0; i < 50_000; i++) {
            results.add(
                    limit.submit(() -> CompletableFuture.completedStage("done")).toCompletableFuture());
        }
        started.get(0).complete("done");
        assertThat(results).allMatch(CompletableFuture::isDone);
    }
}
