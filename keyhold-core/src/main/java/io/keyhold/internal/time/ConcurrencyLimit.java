package io.keyhold.internal.time;

import io.keyhold.spi.Stages;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Limits how many operations are in flight at a time; the others wait for their turn, without a thread. */
public final class ConcurrencyLimit {

    private final int most;
    private final Queue<Pending<?>> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    /** How many are in flight or ready. A free slot says nothing of an operation: others may be ready before it. */
    private final AtomicInteger open = new AtomicInteger();

    private final SerialExecutor looks = new SerialExecutor();

    public ConcurrencyLimit(int most) {
        this.most = most;
    }

    /** An operation that waits for its turn or has been started, and its result. */
    public final class Pending<T> extends CompletableFuture<T> {

        private final Supplier<CompletionStage<T>> operation;
        /** Whether there were so many others that one of them has to end first. */
        private final boolean behind;

        /** Decides the race between the start and {@link #withdraw()}. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private volatile boolean withdrawn;

        private Pending(Supplier<CompletionStage<T>> operation, boolean behind) {
            this.operation = operation;
            this.behind = behind;
        }

        /** Keeps an operation from being started; of no effect on one that was. Its result is a {@link CancellationException}. */
        public void withdraw() {
            if (decided.compareAndSet(false, true)) {
                withdrawn = true;
                open.decrementAndGet();
                completeExceptionally(new CancellationException("not started"));
            }
        }

        /** Returns whether it waits for others to end. If not, it was started, or is about to be. */
        public boolean isQueued() {
            return behind && !decided.get();
        }

        /** Returns whether it was withdrawn before its turn came, so that nothing was sent. */
        public boolean isWithdrawn() {
            return withdrawn;
        }
    }

    /** Starts the operation when it is its turn. */
    public <T> Pending<T> submit(Supplier<CompletionStage<T>> operation) {
        Pending<T> pending;
        synchronized (ready) { // They must be ready in the order in which they were counted.
            pending = new Pending<>(operation, open.getAndIncrement() >= most);
            ready.add(pending);
        }
        looks.run(this::startSome);
        return pending;
    }

    private void startSome() {
        while (inFlight.get() < most) {
            Pending<?> next = ready.poll();
            if (next == null) {
                return;
            }
            if (next.decided.compareAndSet(false, true)) {
                inFlight.incrementAndGet();
                start(next);
            }
        }
    }

    private <T> void start(Pending<T> pending) {
        CompletionStage<T> started = Stages.flat(pending.operation); // One that throws must end its turn too.
        started.whenComplete((value, failure) -> {
            open.decrementAndGet();
            inFlight.decrementAndGet();
            Stages.forward(started, pending);
            looks.run(this::startSome);
        });
    }
}
