package io.keyhold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockingCallerTest {

    /** Many, so that some find the outcome while they spin, and some after they have parked. */
    @Test
    void stepsOfOtherThreadsRunOnWaitingThread() throws InterruptedException {
        for (int wait = 0; wait < 1000; wait++) {
            BlockingCaller caller = new BlockingCaller();
            CompletableFuture<Thread> outcome = new CompletableFuture<>();
            Thread other = new Thread(() -> caller.execute(() -> outcome.complete(Thread.currentThread())));
            other.start();
            assertThat(caller.await(outcome)).isSameAs(Thread.currentThread());
            other.join();
        }
    }

    @Test
    void outcomeOfOtherThreadEndsWait() throws InterruptedException {
        for (int wait = 0; wait < 1000; wait++) {
            CompletableFuture<Integer> outcome = new CompletableFuture<>();
            int expected = wait;
            Thread other = new Thread(() -> outcome.complete(expected));
            other.start();
            assertThat(new BlockingCaller().await(outcome)).isEqualTo(expected);
            other.join();
        }
    }

    @Test
    void interruptEndsWait() {
        BlockingCaller caller = new BlockingCaller();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> caller.await(new CompletableFuture<>()));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void stepThatArrivesAfterTheWaitRunsWhereItArrives() throws InterruptedException {
        BlockingCaller caller = new BlockingCaller();
        caller.await(CompletableFuture.completedFuture(1));
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();
        Thread other = new Thread(() -> caller.execute(() -> ranOn.complete(Thread.currentThread())));
        other.start();
        assertThat(ranOn.join()).isSameAs(other);
        other.join();
    }
}
