package io.keyhold.internal.time;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs steps one at a time in the order of their arrival, on the thread of the caller that finds none running. */
public final class SerialExecutor {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unfinished = new AtomicInteger();

    public void run(Runnable step) {
        steps.add(step);
        if (unfinished.getAndIncrement() == 0) {
            do {
                runNext();
            } while (unfinished.decrementAndGet() > 0);
        }
    }

    private void runNext() {
        try {
            steps.remove().run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a task failed; the tasks after it still run", e);
        }
    }
}
