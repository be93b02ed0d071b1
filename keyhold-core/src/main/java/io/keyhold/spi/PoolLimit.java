package io.keyhold.spi;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The concurrency limit of one lane of a {@link ConnectionPool}: a semaphore whose waiters are futures, so that threads and
 * stages can wait in one queue. First come, first served.
 */
final class PoolLimit {

    private static final CompletableFuture<Boolean> ACQUIRED = CompletableFuture.completedFuture(true);

    private final AtomicInteger free;
    private final Queue<CompletableFuture<Boolean>> waiters = new ConcurrentLinkedQueue<>();

    /** How often serving was asked for since a thread began to serve; zero while none does. */
    private final AtomicInteger servings = new AtomicInteger();

    PoolLimit(int most) {
        this.free = new AtomicInteger(most);
    }

    /** Returns what completes with true when a place is acquired. A waiter gives up by completing it otherwise. */
    CompletableFuture<Boolean> acquire() {
        if (acquireNow()) {
            return ACQUIRED;
        }
        CompletableFuture<Boolean> waiter = new CompletableFuture<>();
        waiters.add(waiter);
        waiter.whenComplete((acquired, failure) -> {
            if (failure != null) { // Otherwise it would stay for as long as no place becomes free.
                waiters.removeIf(CompletableFuture::isCompletedExceptionally);
            }
        });
        serve(); // A place may have become free before the waiter was seen.
        return waiter;
    }

    /** Acquires a place if one is free and nothing waits for it. */
    boolean acquireNow() {
        return waiters.isEmpty() && tryAcquire();
    }

    private boolean tryAcquire() {
        for (int places = free.get(); places > 0; places = free.get()) {
            if (free.compareAndSet(places, places - 1)) {
                return true;
            }
        }
        return false;
    }

    void release() {
        free.incrementAndGet();
        if (!waiters.isEmpty()) {
            serve();
        }
    }

    /**
     * Gives free places to waiters. By one thread at a time, which does the others' part too: a waiter that releases its
     * place inside its own completion would otherwise serve the next one a stack frame deeper.
     */
    private void serve() {
        if (servings.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            serveAll();
            seen = servings.addAndGet(-seen);
        } while (seen > 0);
    }

    private void serveAll() {
        while (!waiters.isEmpty() && tryAcquire()) {
            CompletableFuture<Boolean> next = waiters.poll();
            if (next == null || !next.complete(true)) { // It has given up.
                free.incrementAndGet();
            }
        }
    }
}
