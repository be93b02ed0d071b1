package io.keyhold.lettuce;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A semaphore whose waiters are stages instead of threads. First come, first served. */
final class Permits {

    private final Queue<CompletableFuture<Boolean>> waiters = new ArrayDeque<>();
    private int free;

    Permits(int free) {
        this.free = free;
    }

    /** Completes with true when a permit is had. */
    synchronized CompletableFuture<Boolean> acquire() {
        if (free > 0) {
            free--;
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> waiter = new CompletableFuture<>();
        waiters.add(waiter);
        return waiter;
    }

    void release() {
        CompletableFuture<Boolean> next;
        synchronized (this) {
            next = waiters.poll();
            if (next == null) {
                free++;
            }
        }
        if (next != null) {
            next.complete(true); // Outside the lock, because it runs what the waiter does with it.
        }
    }
}
