package io.keyhold.testkit.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Does the same on many threads at the same time. */
final class Threads {

    private Threads() {}

    /** Runs the work on this many threads, which start together; fails if one of them fails. */
    static void run(int count, IntConsumer work) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CountDownLatch start = new CountDownLatch(count);
            List<Future<?>> results = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                results.add(threads.submit(() -> {
                    start.countDown();
                    start.await();
                    work.accept(number);
                    return true;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("one of " + count + " threads failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
