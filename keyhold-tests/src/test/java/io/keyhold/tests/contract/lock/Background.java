package io.keyhold.tests.contract.lock;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A call on a thread of its own, whose waiting, outcome and failure can be awaited. The thread is a virtual one where the JVM
 * has them, so that the suite covers these on a newer JVM.
 *
 * @param <T> what the call answers
 */
public final class Background<T> {

    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Thread thread;

    private Background(Callable<T> call, Function<Runnable, Thread> starter) {
        thread = starter.apply(() -> {
            try {
                outcome.complete(call.call());
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        });
    }

    /** On a thread as the JVM likes them best. */
    public static <T> Background<T> start(Callable<T> call) {
        return new Background<>(call, TestThreads::start);
    }

    /** On a thread whose state tells a pause from waiting for a reply, which a virtual thread's does not. */
    static <T> Background<T> startOnPlatformThread(Callable<T> call) {
        return new Background<>(call, TestThreads::startOnPlatform);
    }

    /** Returns when the thread pauses between two attempts. */
    void awaitFirstPause() {
        while (!outcome.isDone() && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    /** Returns when the thread sleeps, which it does only when it waits for a lock (or for its future). */
    public void awaitWaiting() {
        while (!outcome.isDone() && !isAsleep()) {
            Thread.onSpinWait();
        }
        if (outcome.isDone()) {
            throw new AssertionError("the call did not wait: " + outcome);
        }
    }

    private boolean isAsleep() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /** Interrupts the thread. */
    public void interrupt() {
        thread.interrupt();
    }

    /** What the call answered. */
    public T result() throws Exception {
        return outcome.get(30, TimeUnit.SECONDS);
    }

    /** What the call threw. */
    public Throwable failure() throws Exception {
        try {
            throw new AssertionError("it did not fail, but answered " + outcome.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }
}
