package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ThreadSchedulerTest {

    /** Of its own: the thread of another test may still be about to end. */
    private final String name = "keyhold-timer-" + UUID.randomUUID();

    private final ThreadScheduler scheduler = new ThreadScheduler(name);

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void cancelledTaskDoesNotRun() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        scheduler.schedule(0, () -> {
            busy.countDown();
            awaitQuietly(goOn);
        });
        assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
        // The timer's thread is held up, so that the task is due and has not begun when it is cancelled.
        AtomicBoolean ran = new AtomicBoolean();
        CountDownLatch later = new CountDownLatch(1);
        scheduler.schedule(0, () -> ran.set(true)).cancel();
        scheduler.schedule(0, later::countDown);
        goOn.countDown();
        assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isFalse();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void throwingTaskDoesNotStopTimer() throws InterruptedException {
        CountDownLatch later = new CountDownLatch(1);
        scheduler.schedule(0, () -> {
            throw new IllegalStateException("broken task");
        });
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(1), later::countDown);
        assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** A sooner task is added just as the thread goes to sleep for a later one. */
    @RepeatedTest(20)
    void soonerTaskIsNotOverslept() throws InterruptedException {
        scheduler.schedule(TimeUnit.HOURS.toNanos(1), () -> {});
        for (int i = 0; i < 500; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            scheduler.schedule(0, ran::countDown);
            assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void noThreadBeforeFirstTaskOrAfterClose() throws InterruptedException {
        assertThat(timerThread()).isEmpty();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.schedule(0, ran::countDown);
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        Thread thread = timerThread().orElseThrow();
        scheduler.close();
        thread.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void threadThatCannotStartIsTriedAgainWithNextTask() throws InterruptedException {
        AtomicBoolean atLimit = new AtomicBoolean(true);
        AtomicBoolean ran = new AtomicBoolean();
        CountDownLatch later = new CountDownLatch(1);
        try (ThreadScheduler limited = new ThreadScheduler(task -> startingUnless(atLimit, task))) {
            assertThatThrownBy(() -> limited.schedule(0, () -> ran.set(true))).isInstanceOf(OutOfMemoryError.class);
            atLimit.set(false);
            limited.schedule(0, later::countDown);
            assertThat(later.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(ran).as("its caller was told that it is not scheduled").isFalse();
    }

    private Thread startingUnless(AtomicBoolean atLimit, Runnable task) {
        return new Thread(task, name) {
            @Override
            public synchronized void start() {
                if (atLimit.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
    }

    /** Tasks of several threads arrive while the first of them starts the thread. */
    @RepeatedTest(50)
    void firstTasksOfSeveralThreadsAllRun() throws InterruptedException {
        int threads = 4;
        CountDownLatch together = new CountDownLatch(threads);
        CountDownLatch ran = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                        together.countDown();
                        awaitQuietly(together);
                        scheduler.schedule(TimeUnit.HOURS.toNanos(1), () -> {});
                        scheduler.schedule(0, ran::countDown);
                    })
                    .start();
        }
        assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
    }

    private Optional<Thread> timerThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findAny();
    }
}
