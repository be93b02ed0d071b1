package io.keyhold.internal.time;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks that run one at a time, in the order in which they were added, on threads of an executor. Adding one never waits
 * for another, so a callback that blocks for ever costs one thread.
 */
public final class CallbackQueue {

    /** Then other tasks of the executor get their turn on the thread. */
    private static final int MOST_IN_A_ROW = 64;

    private final Predicate<Runnable> executor;
    private final Runnable whenRejected;
    private final Queue<Runnable> pending = new ArrayDeque<>();
    private boolean running;
    private volatile @Nullable Thread thread;

    /**
     * Creates an empty queue.
     *
     * @param executor runs a task, now or later; returns false if it rejects it
     * @param whenRejected runs after that; the callbacks that waited are dropped
     */
    public CallbackQueue(Predicate<Runnable> executor, Runnable whenRejected) {
        this.executor = executor;
        this.whenRejected = whenRejected;
    }

    /** Adds a callback, which throws nothing and which {@link #start} runs. Returns false if that many wait already. */
    public synchronized boolean add(Runnable callback, int mostPending) {
        return pending.size() < mostPending && pending.add(callback);
    }

    /** Runs what was added, unless that is going on. Called without a monitor: an executor may run it here. */
    public void start() {
        synchronized (this) {
            if (running || pending.isEmpty()) {
                return;
            }
            running = true;
        }
        submit();
    }

    private void submit() {
        if (!executor.test(this::runSome)) {
            synchronized (this) {
                pending.clear();
                running = false;
            }
            whenRejected.run();
        }
    }

    private void runSome() {
        thread = Thread.currentThread();
        for (int i = 0; i < MOST_IN_A_ROW; i++) {
            Runnable next = next();
            if (next == null) {
                return;
            }
            next.run();
        }
        thread = null;
        submit();
    }

    /** Forgets the thread under the monitor: the next one may start as soon as it is left. */
    private synchronized @Nullable Runnable next() {
        Runnable next = pending.poll();
        if (next == null) {
            running = false;
            thread = null;
        }
        return next;
    }

    /** Returns whether the current thread is in a callback, and must not wait for the next one. */
    public boolean isRunningHere() {
        return thread == Thread.currentThread();
    }
}
