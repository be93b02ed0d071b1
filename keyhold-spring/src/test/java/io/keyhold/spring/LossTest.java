package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.LeaseLostException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

/** What follows when a lease is lost while its method runs. */
final class LossTest {

    private final Application application = Application.start(Work.class, Events.class);
    private final Work work = application.get(Work.class);

    @AfterEach
    void stop() {
        application.close();
    }

    private void lose() {
        application.lose(Leases.current().orElseThrow());
    }

    @Test
    void methodThrowsAtItsEnd() {
        CompletableFuture<String> reached = new CompletableFuture<>();
        assertThatThrownBy(() -> work.plain(() -> {
                    lose();
                    reached.complete("end");
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("work");
        assertThat(reached).isCompletedWithValue("end");
    }

    @Test
    void exceptionOfTheMethodHasTheLossAsSuppressed() {
        assertThatThrownBy(() -> work.plain(() -> {
                    lose();
                    throw new IllegalStateException("own");
                }))
                .hasMessage("own")
                .satisfies(e -> assertThat(e.getSuppressed()).hasExactlyElementsOfTypes(LeaseLostException.class));
    }

    @Test
    void lossIsReportedWhenTheKeyStaysTakenForLonger() {
        assertThatThrownBy(
                        () -> work.resting(() -> application.other().inspect().forceRelease("work")))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void callInsideALostLockFails() {
        assertThatThrownBy(() -> work.plain(() -> {
                    lose();
                    work.plain(() -> {
                        throw new AssertionError("ran without its lock");
                    });
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void requireFindsTheLoss() {
        assertThatThrownBy(() -> work.plain(() -> {
                    lose();
                    assertThatThrownBy(() -> Leases.require("work")).isInstanceOf(LeaseLostException.class);
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void threadIsInterruptedIfAsked() {
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        assertThatThrownBy(() -> work.interruptible(() -> {
                    lose();
                    try {
                        interrupted.complete(never.await(1, TimeUnit.MINUTES));
                    } catch (InterruptedException e) {
                        interrupted.completeExceptionally(e);
                    }
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(interrupted).isCompletedExceptionally();
    }

    @Test
    void eventIsPublished() throws InterruptedException {
        assertThatThrownBy(() -> work.plain(this::lose)).isInstanceOf(LeaseLostException.class);
        LeaseLostEvent event = application.get(Events.class).losses.poll(1, TimeUnit.MINUTES);
        assertThat(event).isNotNull();
        assertThat(event.loss().key()).isEqualTo("work");
        assertThat(event.name()).isEqualTo("Work.plain");
        assertThat(event.method().getName()).isEqualTo("plain");
    }

    /** Methods under a lock. */
    static class Work {

        @Locked("work")
        void plain(Runnable body) {
            body.run();
        }

        @Locked(key = "work", atLeast = "1h")
        void resting(Runnable body) {
            body.run();
        }

        @Locked(key = "work", onLoss = OnLoss.INTERRUPT)
        void interruptible(Runnable body) {
            body.run();
        }
    }

    /** Collects events. */
    static class Events {

        private final BlockingQueue<LeaseLostEvent> losses = new LinkedBlockingQueue<>();

        @EventListener
        void lost(LeaseLostEvent event) {
            losses.add(event);
        }
    }
}
