package io.keyhold.internal.lock;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs notices one at a time, in the order in which they were added, on threads of an executor. */
final class Notices {

    private final Consumer<Runnable> executor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;
    private volatile @Nullable Thread thread;

    Notices(Consumer<Runnable> executor) {
        this.executor = executor;
    }

    /** Adds a notice. Returns what is done when it has returned. */
    CompletableFuture<Void> add(Runnable notice) {
        CompletableFuture<Void> returned = new CompletableFuture<>();
        synchronized (this) {
            waiting.add(() -> {
                try {
                    notice.run();
                } finally {
                    returned.complete(null);
                }
            });
            if (running) {
                return returned;
            }
            running = true;
        }
        executor.accept(this::runAll);
        return returned;
    }

    private void runAll() {
        thread = Thread.currentThread();
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = waiting.poll();
        if (next == null) {
            running = false;
            thread = null;
        }
        return next;
    }

    /** Returns whether the current thread is in a notice, and must not wait for the next. */
    boolean areRunningHere() {
        return thread == Thread.currentThread();
    }
}
