package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.internal.time.Callbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A callback executor that throws although it keeps the task, and runs it later: a scheduled thread pool does so when the system has no thread
 * to give. The task runs once.
 */
class CallbackExecutorTest {

    private final List<Runnable> kept = new ArrayList<>();
    private final List<Object> ran = new ArrayList<>();
    private final EngineFixture fixture = new EngineFixture(new ManualTime(), this::keepAndThrow);
    private final Callbacks callbacks = new Callbacks(this::keepAndThrow);

    private void keepAndThrow(Runnable task) {
        kept.add(task);
        throw new OutOfMemoryError("unable to create native thread");
    }

    private void runKept() {
        List.copyOf(kept).forEach(Runnable::run);
    }

    @Test
    void leaseIsNotReleasedAsIfItsFutureWasCompletedByTheUser() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", FIXED);
        Lease lease = request.join().orElseThrow();
        runKept();
        assertThat(lease.isHeld()).isTrue();
        assertThat(fixture.onServer("a")).isPresent();
    }

    /** An executor whose threads are blocked runs nothing for long. */
    @Test
    void cancellationReleasesLeaseThatItsFutureDoesNotHaveSoFar() {
        List<Runnable> waiting = new ArrayList<>();
        EngineFixture blocked = new EngineFixture(new ManualTime(), waiting::add);
        CompletableFuture<Optional<Lease>> request = blocked.request("a", FIXED);
        assertThat(blocked.onServer("a")).isPresent();
        request.cancel(true);
        assertThat(blocked.onServer("a")).isEmpty();
        List.copyOf(waiting).forEach(Runnable::run);
        assertThat(blocked.store.log).containsOnlyOnce("release a");
    }

    @Test
    void lossIsReportedOnce() {
        List<LeaseLost> losses = new ArrayList<>();
        fixture.acquire("a", FIXED.toBuilder().onLost(losses::add).build());
        fixture.time.pass(Duration.ofSeconds(11));
        runKept();
        assertThat(losses).hasSize(1);
    }

    @Test
    void rejectedTaskDoesNotRunLater() {
        assertThat(callbacks.tryRun(() -> ran.add(this))).isFalse();
        runKept();
        assertThat(ran).isEmpty();
    }

    @Test
    void taskThatHasRunIsNotRejected() {
        Callbacks throwing = new Callbacks(task -> {
            task.run();
            throw new IllegalStateException("too late");
        });
        assertThat(throwing.tryRun(() -> ran.add(this))).isTrue();
        throwing.run(() -> ran.add(this));
        assertThat(ran).hasSize(2);
    }
}
