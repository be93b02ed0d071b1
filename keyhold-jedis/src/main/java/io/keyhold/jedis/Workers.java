package io.keyhold.jedis;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads on which the asynchronous calls of one lane wait for their replies. They come when there is something to do
 * and go when there is not, so that an idle client has none. The queue has no bound: when its turn comes, a call finds
 * out by itself whether the server has been silent for too long.
 */
final class Workers {

    static final int MOST = 8;
    static final String NAME_PREFIX = "keyhold-jedis-";

    private static final long IDLE_SECONDS = 2;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> new Worker(this, task));
    private final Supplier<String> address;

    /** The address is for messages. */
    Workers(Supplier<String> address) {
        this.address = address;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Does the work on a worker, and never on the calling thread, even if that is a worker: a chain of calls, each made
     * by the completion of the one before, must not grow the stack.
     */
    <T> CompletionStage<T> enqueue(Supplier<CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            threads.execute(() -> Stages.forward(OnThisThread.flat(work), result));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(DriverFailures.closed(address.get()));
        } catch (Throwable e) { // The system has no thread left.
            result.completeExceptionally(Failures.whileConnecting(address.get(), e));
        }
        return result;
    }

    /** Does the work on this thread if it is a worker, and else on one. */
    <T> CompletionStage<T> run(Supplier<T> work) {
        boolean here = Thread.currentThread() instanceof Worker worker && worker.owner == this;
        return here ? OnThisThread.of(work) : enqueue(() -> OnThisThread.of(work));
    }

    /** Lets what is queued run (it finds the connections closed) and then ends the threads. */
    void close() {
        threads.shutdown();
    }

    private static final class Worker extends Thread {

        private final Workers owner;

        Worker(Workers owner, Runnable task) {
            super(task, NAME_PREFIX + NUMBER.incrementAndGet());
            this.owner = owner;
            setDaemon(true);
        }
    }
}
