package io.keyhold.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads on which the asynchronous calls of one lane wait for their replies. An idle client has none. The queue has no
 * bound: when its turn comes, a call finds out by itself whether the server has been silent for too long.
 */
final class IoExecutor {

    private static final int MAX_THREADS = 8;
    private static final long IDLE_SECONDS = 2;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ThreadPoolExecutor threads;
    private final Supplier<String> address;

    /** Creates an executor without threads. The address is for messages. */
    IoExecutor(String threadPrefix, Supplier<String> address) {
        this.address = address;
        threads = new ThreadPoolExecutor(
                MAX_THREADS,
                MAX_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> new IoThread(task, threadPrefix + NUMBER.incrementAndGet()));
        threads.allowCoreThreadTimeOut(true);
    }

    private final class IoThread extends Thread {

        IoThread(Runnable task, String name) {
            super(task, name);
            setDaemon(true);
        }

        boolean isOf(IoExecutor executor) {
            return IoExecutor.this == executor;
        }
    }

    /**
     * Does the work on one of the threads, but never inside this call: a chain of calls, each made by the completion of the
     * one before, must not grow the stack.
     */
    <T> CompletionStage<T> enqueue(Supplier<CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            threads.execute(() -> Stages.forward(Stages.flat(work), result));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(DriverFailures.closed(address.get()));
        } catch (Throwable e) { // The system has no thread left.
            result.completeExceptionally(DriverFailures.cannotConnect(address.get(), e));
        }
        return result;
    }

    /** Does the work inside this call if the calling thread is one of the threads; otherwise on one of them. */
    <T> CompletionStage<T> run(Supplier<CompletionStage<T>> work) {
        return Thread.currentThread() instanceof IoThread thread && thread.isOf(this)
                ? Stages.flat(work)
                : enqueue(work);
    }

    /** Lets queued calls run, which find the connections closed, and then ends the threads. */
    void close() {
        threads.shutdown();
    }
}
