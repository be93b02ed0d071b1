package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AlreadyHeldException;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Methods that return a stage. */
final class StageTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Application application = Application.start(Work.class);
    private final Work work = application.get(Work.class);
    private final CompletableFuture<String> inner = new CompletableFuture<>();

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void lockIsHeldUntilStageCompletes() throws Exception {
        CompletableFuture<String> result = work.later(() -> inner);
        assertThat(application.isLocked("work")).isTrue();
        assertThat(Leases.current())
                .as("of this thread, whose call has returned")
                .isEmpty();
        inner.complete("done");
        assertThat(result.get(1, TimeUnit.MINUTES)).isEqualTo("done");
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void failureOfTheStageReleases() {
        CompletableFuture<String> result = work.later(() -> inner);
        inner.completeExceptionally(new IllegalStateException("own"));
        assertThatThrownBy(() -> result.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("own");
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void failureOfTheCallReleases() {
        assertThatThrownBy(() -> work.later(() -> {
                    throw new IllegalStateException("own");
                }))
                .hasMessage("own");
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void lossFailsTheResult() {
        CompletableFuture<Lease> lease = new CompletableFuture<>();
        CompletableFuture<String> result = work.later(() -> {
            lease.complete(Leases.current().orElseThrow());
            return inner;
        });
        application.lose(lease.join());
        inner.complete("done");
        assertThatThrownBy(() -> result.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void stageInsideAnotherMethodKeepsTheLock() throws Exception {
        CompletableFuture<String> result = work.around(() -> work.later(() -> inner));
        assertThat(application.isLocked("work")).as("after the outer method").isTrue();
        inner.complete("done");
        assertThat(result.get(1, TimeUnit.MINUTES)).isEqualTo("done");
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void secondCallWaitsForTheStage() throws Exception {
        CompletableFuture<String> first = work.later(() -> inner);
        assertThat(work.skipping().get(1, TimeUnit.MINUTES)).as("skipped").isNull();
        inner.complete("done");
        first.get(1, TimeUnit.MINUTES);
        assertThat(work.skipping().get(1, TimeUnit.MINUTES)).isEqualTo("ran");
    }

    @Test
    void stageInsideAnotherMethodLeavesTheLockWithItsThreadUntilThatMethodEnds() throws Exception {
        DistributedLock lock = application.get(Keyhold.class).lock("work");
        work.around(() -> {
            work.later(() -> inner);
            assertThatThrownBy(() -> lock.tryAcquire(LIMIT)).isInstanceOf(AlreadyHeldException.class);
            return true;
        });
        assertThat(lock.tryAcquire(Duration.ofMillis(1)))
                .as("waits as other threads do")
                .isEmpty();
        inner.complete("done");
        lock.tryAcquire(LIMIT).orElseThrow().release();
    }

    @Test
    void stageInsideAnotherMethodDoesNotStopTheInterruptOnLoss() {
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> work.interruptible(() -> {
                    work.later(() -> inner);
                    application.lose(Leases.current().orElseThrow());
                    assertThatThrownBy(() -> never.await(1, TimeUnit.MINUTES)).isInstanceOf(InterruptedException.class);
                    return true;
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void cancelledResultLeavesTheStageAndItsLock() throws Exception {
        assertThat(work.later(() -> inner).cancel(true)).isTrue();
        assertThat(inner).isNotDone();
        assertThat(application.isLocked("work")).isTrue();
        inner.complete("done");
        application.other().lock("work").tryAcquire(LIMIT).orElseThrow().release();
    }

    /** Methods under a lock. */
    static class Work {

        @Locked("work")
        CompletableFuture<String> later(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Locked(key = "work", onBusy = OnBusy.SKIP)
        CompletableFuture<@Nullable String> skipping() {
            return CompletableFuture.completedFuture("ran");
        }

        @Locked(key = "work", onLoss = OnLoss.INTERRUPT)
        <T> T interruptible(Supplier<T> body) {
            return body.get();
        }

        @Locked("work")
        <T> T around(Supplier<T> body) {
            return body.get();
        }
    }
}
