package io.keyhold.internal.time;

import io.keyhold.internal.Exceptions;
import io.keyhold.spi.CallMode;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A caller that blocks its thread until the operation is done. All steps of the operation run on that thread, so that a driver
 * with blocking I/O needs no second thread and a pause between two attempts needs no timer. Steps that arrive after the
 * thread has gone, such as the reply to a request that was withdrawn, run where they arrive.
 */
public final class BlockingCaller implements Caller {

    /**
     * A lock that is held for microseconds is handed over sooner than a parked thread wakes up on an idle core. So a thread that is about to wait
     * spins first, and yields its core to any other that has work to do ({@code docs/decisions/047}).
     */
    private static final boolean SPINS = Runtime.getRuntime().availableProcessors() > 1;

    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(150);
    private static final AtomicBoolean SPINNING = new AtomicBoolean();
    /** How long the last thread waited, of all callers of the process. */
    private static volatile long lastWaitNanos;

    private final Thread thread = Thread.currentThread();
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private volatile boolean gone;
    private @Nullable Runnable laterStep;
    private long laterAt;

    @Override
    public CallMode mode() {
        return gone ? CallMode.ASYNCHRONOUS : CallMode.BLOCKING;
    }

    @Override
    public void execute(Runnable step) {
        if (Thread.currentThread() == thread && !gone) {
            step.run();
            return;
        }
        steps.add(step);
        if (gone) {
            runSteps();
        } else {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public Scheduler.Timer later(long delayNanos, Runnable step) {
        // Only called by a step, and steps run on this thread for as long as it waits.
        laterStep = step;
        laterAt = System.nanoTime() + delayNanos;
        return () -> laterStep = null; // Also called by a step. A thread that has gone does not return for it.
    }

    /** Waits for the outcome of an operation that was started with this caller. */
    public <T> T await(CompletableFuture<T> outcome) throws InterruptedException {
        try {
            if (!outcome.isDone()) {
                outcome.whenComplete((value, failure) -> LockSupport.unpark(thread));
                long began = System.nanoTime();
                spinIfWaitsAreShort(outcome, began);
                runUntil(outcome);
                lastWaitNanos = System.nanoTime() - began;
            }
            return value(outcome);
        } finally {
            gone = true;
            runSteps();
        }
    }

    /** Waits like {@link #await} for an operation that ends within the driver's timeouts, and keeps an interrupt for later. */
    public <T> T awaitUninterruptibly(CompletableFuture<T> outcome) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await(outcome);
                } catch (InterruptedException e) {
                    interrupted = true;
                    gone = false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Spins for a moment before the thread parks. One thread at a time, because others may need the cores; and only if the last wait was shorter
     * than the spin, so that no two spins in a row are in vain.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing depends on the yield; it lets others with work to do go first.
    private void spinIfWaitsAreShort(CompletableFuture<?> outcome, long began) {
        if (!SPINS || lastWaitNanos > SPIN_NANOS || !SPINNING.compareAndSet(false, true)) {
            return;
        }
        try {
            while (!outcome.isDone()
                    && steps.isEmpty()
                    && !thread.isInterrupted()
                    && System.nanoTime() - began < SPIN_NANOS) {
                Thread.yield();
            }
        } finally {
            SPINNING.set(false);
        }
    }

    private void runUntil(CompletableFuture<?> outcome) throws InterruptedException {
        while (!outcome.isDone()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            runSteps();
            if (!outcome.isDone()) {
                pause();
            }
        }
    }

    private void runSteps() {
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            step.run();
        }
    }

    private void pause() {
        Runnable step = laterStep;
        if (step == null) {
            LockSupport.park(this);
            return;
        }
        long delay = laterAt - System.nanoTime();
        if (delay > 0) {
            LockSupport.parkNanos(this, delay);
        } else {
            laterStep = null;
            step.run();
        }
    }

    private static <T> T value(CompletableFuture<T> outcome) {
        try {
            return outcome.join();
        } catch (CompletionException e) {
            throw Exceptions.forThisThread(e);
        }
    }
}
