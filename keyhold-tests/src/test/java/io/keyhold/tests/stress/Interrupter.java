package io.keyhold.tests.stress;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Interrupts threads while they wait, and never later. */
final class Interrupter implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "interrupter");
        thread.setDaemon(true);
        return thread;
    });

    /** What may be interrupted. */
    interface Wait<T> {
        T make() throws InterruptedException;
    }

    /** Runs the wait on this thread, which is interrupted after this time if it still waits. */
    <T> T interrupted(long afterMillis, Wait<T> wait) throws InterruptedException {
        Thread waiter = Thread.currentThread();
        AtomicBoolean waits = new AtomicBoolean(true);
        timer.schedule(
                () -> {
                    synchronized (waits) {
                        if (waits.get()) {
                            waiter.interrupt();
                        }
                    }
                },
                afterMillis,
                TimeUnit.MILLISECONDS);
        try {
            return wait.make();
        } finally {
            synchronized (waits) {
                waits.set(false);
            }
            // The interrupt may have arrived when the wait had just ended.
            Thread.interrupted();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
