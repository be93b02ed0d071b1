package io.keyhold.tests.contract.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Threads that repeat something all the time, while something else must get its turn. */
public final class Contention {

    private Contention() {}

    /** Runs the work while this many threads repeat the loop, and fails if either does. */
    public static void during(int threads, Callable<?> loop, Callable<?> work) throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService executor = TestThreads.executor();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(executor.submit(() -> {
                    while (!enough.get()) {
                        loop.call();
                    }
                    return null;
                }));
            }
            work.call();
            enough.set(true);
            for (Future<?> one : running) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            enough.set(true);
            executor.shutdownNow();
        }
    }
}
