package io.keyhold.lettuce;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A semaphore whose waiters are stages instead of threads. First come, first served. */
final class Permits {

    private final Queue<CompletableFuture<Boolean>> waiters = new ArrayDeque<>();
    private final long timeoutNanos;
    private int free;
    private volatile long lastProgress = System.nanoTime();

    Permits(int free, Duration timeout) {
        this.free = free;
        this.timeoutNanos = timeout.toNanos();
    }

    /**
     * Completes with true when a permit is had. Fails with a {@link TimeoutException} when for as long as the timeout no
     * permit was given back after good use: a long queue that moves is waited for, a server that does not reply is not.
     */
    synchronized CompletableFuture<Boolean> acquire() {
        if (free > 0) {
            free--;
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> waiter = new CompletableFuture<>();
        waiters.add(waiter);
        watch(waiter, System.nanoTime(), timeoutNanos);
        return waiter;
    }

    private void watch(CompletableFuture<Boolean> waiter, long since, long nanos) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(() -> {
                    if (waiter.isDone()) {
                        return;
                    }
                    long last = lastProgress;
                    long left = timeoutNanos - (System.nanoTime() - (last - since > 0 ? last : since));
                    if (left > 0) {
                        watch(waiter, since, left);
                    } else {
                        waiter.completeExceptionally(new TimeoutException());
                    }
                });
    }

    /** A permit was of use: its user got replies. */
    void progressed() {
        lastProgress = System.nanoTime();
    }

    /** Goes to the first waiter that has not given up. Outside the lock, because it runs what the waiter does with it. */
    void release() {
        CompletableFuture<Boolean> next = nextOrFree();
        while (next != null && !next.complete(true)) {
            next = nextOrFree();
        }
    }

    private synchronized @Nullable CompletableFuture<Boolean> nextOrFree() {
        CompletableFuture<Boolean> next = waiters.poll();
        if (next == null) {
            free++;
        }
        return next;
    }
}
