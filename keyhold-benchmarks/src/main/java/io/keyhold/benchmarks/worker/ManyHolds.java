package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Takes many locks and keeps them; the library renews them. */
final class ManyHolds {
    private static final int THREADS = 8;

    // They live as long as this JVM: some libraries stop renewing for a thread that has ended.
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final Contender contender;

    ManyHolds(Contender contender) {
        this.contender = contender;
    }

    /** Takes the locks on {@code key:0} to {@code key:count-1}. */
    void take(int count, String key) throws InterruptedException {
        List<Future<?>> takers = new ArrayList<>();
        for (int taker = 0; taker < THREADS; taker++) {
            int first = taker;
            takers.add(threads.submit(() -> {
                for (int number = first; number < count; number += THREADS) {
                    contender.lock(key + ":" + number).acquire();
                }
                return null;
            }));
        }
        for (Future<?> taker : takers) {
            try {
                taker.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("could not take all locks: " + e.getCause(), e.getCause());
            }
        }
    }
}
