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

    /** The slot of an operation is free before its result is reported, and the next operation takes it after that. */
    @Test
    void operationBehindOthersIsQueuedWhileResultIsReported() {
        ConcurrencyLimit one = new ConcurrencyLimit(1);
        CompletableFuture<String> first = one.submit(this::start);
        one.submit(this::start);
        ConcurrencyLimit.Pending<String> last = one.submit(this::start);
        List<Boolean> queued = new ArrayList<>();
        first.whenComplete((value, failure) -> queued.add(last.isQueued()));
        started.get(0).complete("done");
        assertThat(queued).containsExactly(true);
        assertThat(started).hasSize(2);
        started.get(1).complete("done");
        assertThat(last.isQueued()).isFalse();
    }

    /** The start of the first takes a while: the second is not started yet, and waits for nothing else. */
    @Test
    void operationWithinLimitIsNotQueuedBeforeItsStart() {
        List<Boolean> queued = new ArrayList<>();
        limit.submit(() -> {
            ConcurrencyLimit.Pending<String> second = limit.submit(this::start);
            queued.add(second.isQueued() || !started.isEmpty());
            return start();
        });
        assertThat(queued).containsExactly(false);
        assertThat(started).hasSize(2);
    }

    @Test
    void withdrawnOperationCountsNoMore() {
        limit.submit(this::start);
        limit.submit(this::start);
        ConcurrencyLimit.Pending<String> third = limit.submit(this::start);
        assertThat(third.isQueued()).isTrue();
        third.withdraw();
        started.get(0).complete("done");
        assertThat(limit.submit(this::start).isQueued()).isFalse();
        assertThat(started).hasSize(3);
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
