package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {

    private final ConcurrencyLimit pace = new ConcurrencyLimit(2);
    private final List<CompletableFuture<String>> started = new ArrayList<>();

    private CompletionStage<String> start() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        started.add(operation);
        return operation;
    }

    @Test
    void soManyAreUnderWayAndTheOthersFollowInOrder() {
        for (int i = 0; i < 5; i++) {
            pace.submit(this::start);
        }
        assertThat(started).hasSize(2);
        started.get(1).complete("done");
        assertThat(started).hasSize(3);
        started.get(0).completeExceptionally(new IllegalStateException("failed"));
        assertThat(started).hasSize(4);
    }

    @Test
    void anOperationThatThrowsFailsAndMakesRoom() {
        List<CompletableFuture<String>> results = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            results.add(pace.<String>submit(() -> {
                        throw new IllegalStateException("thrown");
                    })
                    .toCompletableFuture());
        }
        assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
        pace.submit(this::start);
        assertThat(started).hasSize(1);
    }

    @Test
    void manyThatAreAnsweredAtOnceDoNotGrowTheStack() {
        List<CompletableFuture<String>> results = new ArrayList<>();
        pace.submit(this::start);
        pace.submit(this::start);
        for (int i = 0; i < 50_000; i++) {
            results.add(
                    pace.submit(() -> CompletableFuture.completedStage("done")).toCompletableFuture());
        }
        started.get(0).complete("done");
        assertThat(results).allMatch(CompletableFuture::isDone);
    }
}
