package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** User code may block all existing threads, and the next callback still runs. */
class CallbackThreadsTest {

    private static final int MANY = 10_000;

    private final CallbackThreads threads = new CallbackThreads("test");
    private final CountDownLatch free = new CountDownLatch(1);
    private final Queue<Thread> seen = new ConcurrentLinkedQueue<>();

    @AfterEach
    void nothingIsLeft() throws Exception {
        free.countDown();
        threads.close();
        for (Thread thread : seen) {
            thread.join();
        }
    }

    private void block(int count) throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            threads.execute(() -> {
                seen.add(Thread.currentThread());
                blocked.countDown();
                await(free);
            });
        }
        blocked.await();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void blockedTasksDelayNoOther() throws Exception {
        block(12);
        CountDownLatch ran = new CountDownLatch(2);
        threads.execute(ran::countDown);
        threads.executeFirst(ran::countDown);
        ran.await();
    }

    /** Tasks that are taken before the loss is there wait for it, one thread each; thousands are not taken by then. */
    @Test
    void lossRunsBeforeWaitingTasks() throws Exception {
        block(4);
        CountDownLatch added = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(MANY + 1);
        Queue<String> order = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < MANY; i++) {
            threads.execute(() -> {
                seen.add(Thread.currentThread());
                await(added);
                order.add("other");
                all.countDown();
            });
        }
        threads.executeFirst(() -> {
            order.add("loss");
            all.countDown();
        });
        added.countDown();
        all.await();
        assertThat(List.copyOf(order).indexOf("loss")).isLessThan(MANY / 2);
    }

    @Test
    void manyShortTasksNeedFewThreads() throws Exception {
        CountDownLatch all = new CountDownLatch(MANY);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < MANY; i++) {
            threads.execute(() -> {
                seen.add(Thread.currentThread());
                ran.incrementAndGet();
                all.countDown();
            });
        }
        all.await();
        assertThat(ran).hasValue(MANY);
        assertThat(seen.stream().distinct().count()).as("threads").isLessThan(MANY / 10);
    }

    @Test
    void threadsAreDaemonsAndEndSoonAfterClose() throws Exception {
        block(6);
        assertThat(seen).hasSize(6).allMatch(Thread::isDaemon);
        threads.close();
        free.countDown();
        for (Thread thread : seen) {
            thread.join();
        }
    }

    @Test
    void tasksAfterCloseAreRun() throws Exception {
        threads.close();
        CountDownLatch ran = new CountDownLatch(1);
        threads.execute(() -> {
            seen.add(Thread.currentThread());
            ran.countDown();
        });
        ran.await();
    }

    @Test
    void idleThreadsEndByThemselves() throws Exception {
        block(6);
        free.countDown();
        for (Thread thread : seen) {
            thread.join();
        }
        CountDownLatch ran = new CountDownLatch(1);
        threads.execute(ran::countDown);
        ran.await();
    }

    /** With no thread at all nothing would run it, not even when the system has threads again. */
    @Test
    void lossIsReportedHereIfNoThreadCanBeStarted() {
        CallbackThreads none = new CallbackThreads(loop -> new Thread(loop) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        Callbacks callbacks = new Callbacks(none);
        List<String> ran = new ArrayList<>();
        callbacks.runLoss(() -> ran.add("loss"));
        callbacks.run(() -> ran.add("other"));
        assertThat(ran).containsExactly("loss", "other");
        assertThat(callbacks.tryRun(() -> ran.add("event"))).isFalse();
    }

    /** The only worker may be blocked by user code for long. */
    @Test
    void lossIsReportedHereIfOnlyWorkerIsBusy() throws Exception {
        AtomicBoolean any = new AtomicBoolean();
        CallbackThreads one = new CallbackThreads(loop -> new Thread(loop) {
            @Override
            public synchronized void start() {
                if (any.getAndSet(true)) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        one.execute(() -> {
            busy.countDown();
            await(end);
        });
        busy.await();
        List<String> ran = new ArrayList<>();
        new Callbacks(one).runLoss(() -> ran.add("loss"));
        assertThat(ran).containsExactly("loss");
        end.countDown();
        one.close();
    }

    @Test
    void interruptOfOneTaskDoesNotReachNext() throws Exception {
        block(3);
        CountDownLatch ran = new CountDownLatch(1);
        List<Boolean> interrupted = new ArrayList<>();
        // The next task must be in the queue: a thread that waits for one loses its interrupt by that.
        CountDownLatch queued = new CountDownLatch(1);
        threads.execute(() -> {
            await(queued);
            Thread.currentThread().interrupt();
        });
        threads.execute(() -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            ran.countDown();
        });
        queued.countDown();
        ran.await();
        assertThat(interrupted).containsExactly(false);
    }
}
