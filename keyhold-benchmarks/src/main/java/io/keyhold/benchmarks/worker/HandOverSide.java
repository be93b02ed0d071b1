package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.LockClient;
import io.keyhold.benchmarks.contender.LockHandle;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * One JVM's side of a hand-over: acquires and releases a lock on command, on one thread, because some locks belong to a thread.
 *
 * <p>The times are {@link System#nanoTime()}, which on Linux is CLOCK_MONOTONIC: one clock for all processes of a machine, so the
 * time of a release in one JVM and that of an acquire in another can be subtracted.
 */
final class HandOverSide implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final LockHandle lock;
    private final Consumer<String> replies;

    HandOverSide(LockClient client, String key, Consumer<String> replies) {
        this.lock = client.lock(key);
        this.replies = replies;
    }

    /** Replies {@code acquiring}, and {@code acquired} with the time when the lock is held. */
    void acquire() {
        thread.execute(() -> {
            replies.accept("acquiring");
            try {
                lock.acquire();
                replies.accept("acquired " + System.nanoTime());
            } catch (InterruptedException | RuntimeException e) {
                replies.accept("failed " + e);
            }
        });
    }

    /** Replies {@code released} with the time just before the release. */
    void release() {
        thread.execute(() -> {
            long releasing = System.nanoTime();
            try {
                lock.release();
                replies.accept("released " + releasing);
            } catch (RuntimeException e) {
                replies.accept("failed " + e);
            }
        });
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
