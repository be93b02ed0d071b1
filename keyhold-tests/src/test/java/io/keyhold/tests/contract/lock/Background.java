package io.keyhold.tests.contract.lock;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A call on its own thread, whose waiting, result and failure can be awaited. The thread is virtual where the JVM has virtual
 * threads, so that the suite covers them on newer JVMs.
 *
 * @param <T> the result of the call
 */
public final class Background<T> {

    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

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

    /** Starts the call on a virtual thread, or on a platform thread if the JVM has no virtual threads. */
    public static <T> Background<T> start(Callable<T> call) {
        return new Background<>(call, TestThreads::start);
    }

    /** Starts the call on a platform thread, whose state distinguishes a pause from waiting for a reply. */
    static <T> Background<T> startOnPlatformThread(Callable<T> call) {
        return new Background<>(call, TestThreads::startOnPlatform);
    }

    /** Returns when the thread pauses between two attempts. */
    void awaitFirstPause() {
        while (!outcome.isDone() && thread.getState() != Thread.State.TIMED_WAITING) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    /** Returns when the thread sleeps, which it does only when it waits for a lock (or for its future). */
    public void awaitWaiting() {
        while (!outcome.isDone() && !isAsleep()) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
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

    /** Returns whether the call has ended. */
    public boolean isDone() {
        return outcome.isDone();
    }

    /** Returns the result of the call. */
    public T result() throws Exception {
        return outcome.get(30, TimeUnit.SECONDS);
    }

    /** Returns the exception of the call. */
    public Throwable failure() throws Exception {
        try {
            throw new AssertionError("it did not fail, but returned " + outcome.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }
}
