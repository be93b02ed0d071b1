package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.ContenderLock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * One JVM's end of a hand-over: asks for the lock when told to, and releases it when told to, on one thread, because
 * some locks belong to a thread.
 *
 * <p>The times are {@link System#nanoTime()}, which on Linux is CLOCK_MONOTONIC: one clock for all processes of a
 * machine, so that the time of a release in one JVM and of an entry in another can be subtracted.
 */
final class Baton implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final ContenderLock lock;
    private final Consumer<String> replies;

    Baton(Contender contender, String key, Consumer<String> replies) {
        this.lock = contender.lock(key);
        this.replies = replies;
    }

    /** Replies {@code asking}, and {@code entered} with the time once the lock is had. */
    void enter() {
        thread.execute(() -> {
            replies.accept("asking");
            try {
                lock.acquire();
                replies.accept("entered " + System.nanoTime());
            } catch (InterruptedException | RuntimeException e) {
                replies.accept("failed " + e);
            }
        });
    }

    /** Replies {@code left} with the time just before the release. */
    void leave() {
        thread.execute(() -> {
            long leaving = System.nanoTime();
            try {
                lock.release();
                replies.accept("left " + leaving);
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
