package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Acquires many locks and keeps them; the library renews them. */
final class ManyHolds {
    private static final int THREADS = 8;

    // They live as long as this JVM: some libraries stop renewing for a thread that has ended.
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** Acquires the locks {@code key:first} to {@code key:end-1}. */
    void acquire(LockClient client, int first, int end, String key) throws InterruptedException {
        List<Future<?>> tasks = new ArrayList<>();
        for (int task = 0; task < THREADS; task++) {
            int start = first + task;
            tasks.add(threads.submit(() -> {
                for (int number = start; number < end; number += THREADS) {
                    client.lock(key + ":" + number).acquire();
                }
                return null;
            }));
        }
        for (Future<?> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("could not acquire all locks: " + e.getCause(), e.getCause());
            }
        }
    }
}
