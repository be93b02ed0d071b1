package io.keyhold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which threads count as started. */
class ThreadWatchTest {

    @Test
    void threadCountsWhileItRuns() {
        CountDownLatch end = new CountDownLatch(1);
        Thread before = waiting(end);
        ThreadWatch threads = new ThreadWatch();
        Thread since = waiting(end);
        assertThat(threads.started()).contains(since).doesNotContain(before);
        end.countDown();
        threads.awaitAtMost(0);
        assertThat(since.isAlive()).isFalse();
    }

    /** A test may run on such a pool, which starts a worker when another one waits for a stage, and keeps it. */
    @Test
    void forkJoinWorkersDoNotCount() {
        ForkJoinPool pool = new ForkJoinPool(1);
        ThreadWatch threads = new ThreadWatch();
        pool.submit(() -> new CompletableFuture<Void>()
                        .completeOnTimeout(null, 1, TimeUnit.MILLISECONDS)
                        .join())
                .join();
        assertThat(pool.getPoolSize()).isPositive();
        assertThat(threads.started()).isEmpty();
        pool.shutdown();
    }

    private static Thread waiting(CountDownLatch end) {
        Thread thread = DaemonThread.named("watched", () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }
}
