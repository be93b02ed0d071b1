package io.keyhold.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ThreadSchedulerTest {

    private final ThreadScheduler scheduler = new ThreadScheduler("keyhold-timer-test");

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void tasksRunInTheOrderOfTheirTime() throws InterruptedException {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(3);
        for (int i : new int[] {3, 1, 2}) {
            scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(i * 20L), () -> {
                order.add(i);
                done.countDown();
            });
        }
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly(1, 2, 3);
    }

    @Test
    void aCancelledTaskDoesNotRun() throws InterruptedException {
        AtomicBoolean ran = new AtomicBoolean();
        CountDownLatch later = new CountDownLatch(1);
        scheduler
                .schedule(TimeUnit.MILLISECONDS.toNanos(10), () -> ran.set(true))
                .cancel();
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(30), later::countDown);
        assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isFalse();
    }

    @Test
    void aTaskThatThrowsDoesNotStopTheTimer() throws InterruptedException {
        CountDownLatch later = new CountDownLatch(1);
        scheduler.schedule(0, () -> {
            throw new IllegalStateException("broken task");
        });
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(1), later::countDown);
        assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** The race that the wake-up rule must win: a sooner task comes in just as the thread goes to sleep for a later one. */
    @RepeatedTest(20)
    void noSoonerTaskIsSleptThrough() throws InterruptedException {
        scheduler.schedule(TimeUnit.HOURS.toNanos(1), () -> {});
        for (int i = 0; i < 500; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            scheduler.schedule(0, ran::countDown);
            assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void noThreadBeforeTheFirstTaskAndNoneAfterClosing() throws InterruptedException {
        assertThat(timerThread()).isEmpty();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.schedule(0, ran::countDown);
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        Thread thread = timerThread().orElseThrow();
        scheduler.close();
        thread.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(thread.isAlive()).isFalse();
    }

    private static Optional<Thread> timerThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("keyhold-timer-test"))
                .findAny();
    }
}
