package io.keyhold.internal.engine;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Lets at most so many operations be under way at a time; the others wait for their turn, without a thread. */
final class Pace {

    private final int most;
    private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final StepQueue looks = new StepQueue();

    Pace(int most) {
        this.most = most;
    }

    /** Starts the operation when it is its turn. */
    <T> CompletionStage<T> submit(Supplier<CompletionStage<T>> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        ready.add(() -> started(operation).whenComplete((value, failure) -> {
            underWay.decrementAndGet();
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(value);
            }
            looks.run(this::startSome);
        }));
        looks.run(this::startSome);
        return result;
    }

    private static <T> CompletionStage<T> started(Supplier<CompletionStage<T>> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e); // Else its turn would never end.
        }
    }

    private void startSome() {
        while (underWay.get() < most) {
            Runnable next = ready.poll();
            if (next == null) {
                return;
            }
            underWay.incrementAndGet();
            next.run();
        }
    }
}
