package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static io.keyhold.internal.engine.EngineFixture.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.time.AsynchronousCaller;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two things at the same moment: the end of the work and a loss, a grant and an interrupt, an adoption and a close. */
class RaceTest {

    private final EngineFixture fixture = new EngineFixture();

    @Test
    void workEndingDuringLossReportsIt() throws InterruptedException {
        HeldLease lease = fixture.engine.acquire(ask("a", FIXED));
        AtomicReference<Optional<LeaseLostException>> heard = new AtomicReference<>(Optional.empty());
        fixture.time.atCancel = () -> {
            fixture.time.atCancel = () -> {};
            heard.set(Engine.endWork(lease));
        };
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(heard.get()).isPresent();
    }

    @Test
    void threadDoesNotOwnGrantOfWithdrawnRequest() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        LeaseRequest request = fixture.engine.requests.start(
                ask("a", FIXED), new AsynchronousCaller(fixture.time), Thread.currentThread());
        request.withdraw();
        AtomicReference<Throwable> refusal = new AtomicReference<>(new IllegalStateException("nothing was tried"));
        fixture.time.atSchedule = () -> {
            fixture.time.atSchedule = () -> {};
            refusal.set(catchThrowable(
                    () -> fixture.engine.requests.leases().refuseDeadlock(Subject.lock(LockKey.of("", "a")))));
        };
        fixture.store.deliver();
        assertThat(refusal.get()).isNull();
        assertThat(request.settled()).isDone();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void expiredLeaseDoesNotReleaseAdopter() {
        Lease first = fixture.acquire("a", FIXED);
        fixture.time.pass(Duration.ofSeconds(5));
        Lease adopted = fixture.otherClient().adopt(ask("a", RENEWED), first.token());
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(first.isHeld()).isFalse();
        assertThat(adopted.isHeld()).isTrue();
        assertThat(adopted.isHeldOnServer()).isTrue();
    }

    @Test
    void adoptionConfirmedAfterItsLeaseFails() {
        String token = fixture.acquire("a", RENEWED).handOff();
        fixture.store.afterAcquire = () -> fixture.time.freeze(Duration.ofSeconds(11));
        assertThatThrownBy(() -> fixture.engine.adopt(ask("a", FIXED), token))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("after its lease had ended");
    }

    @Test
    void adoptionDuringCloseFails() {
        String token = fixture.acquire("a", RENEWED).handOff();
        fixture.store.afterAcquire = fixture.engine::close;
        assertThatThrownBy(() -> fixture.engine.adopt(ask("a", RENEWED), token))
                .isInstanceOf(KeyholdClosedException.class);
    }

    @Test
    void closeOnInterruptedThreadWaitsForReleases() throws InterruptedException {
        fixture.acquire("a", RENEWED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        Thread closing = Thread.currentThread();
        AtomicBoolean delivered = new AtomicBoolean();
        Thread server = new Thread(() -> {
            while (closing.getState() != Thread.State.WAITING && closing.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            delivered.set(true);
            fixture.store.deliver();
        });
        closing.interrupt();
        server.start();
        fixture.engine.close();
        assertThat(delivered).isTrue();
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        server.join();
    }

    /** The lock goes to another client, which dies with it: the request that was promoted has to poll. */
    @Test
    void requestPromotedWhileJoiningKeepsPolling() {
        HeldLease first = fixture.start("a").outcome().join().orElseThrow();
        assertThat(first.token()).as("is read, so there is no local hand-over").isNotEmpty();
        fixture.otherClient().tryAcquireAsync(EngineFixture.waiting("a", FIXED));
        RacingCaller called = new RacingCaller(fixture.time).beforeNextStep(first::releaseAsync);
        LeaseRequest second = fixture.engine.requests.start(EngineFixture.waiting("a", RENEWED), called, null);
        assertThat(second.outcome()).isNotDone();
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(second.outcome()).isDone();
    }

    private static @Nullable Throwable catchThrowable(Runnable work) {
        try {
            work.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }
}
