package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.engine.lease.Validity;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Replies that are lost, late or refused: no hold stays on the server without a lease, and no lease without a hold. */
class UnknownOutcomeTest {

    private final EngineFixture fixture = new EngineFixture();

    @Test
    void cutConnectionIsRetriedWithSameToken() {
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        Lease lease = fixture.acquire("a", FIXED);
        assertThat(fixture.count("acquire")).isEqualTo(2);
        assertThat(lease.attempts()).isEqualTo(1);
        assertThat(fixture.onServer("a").orElseThrow().token()).isEqualTo(lease.token());
    }

    @Test
    void timedOutAcquireIsReleasedInBackground() {
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", FIXED, WaitPlan.NONE);
        assertThatThrownBy(request::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unknown -> assertThat(unknown.outcomeUnknown()).isTrue());
        assertThat(fixture.onServer("a")).isPresent();
        fixture.time.pass(Duration.ofMillis(1));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void twoCutsFailAndAreReleased() {
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        assertThatThrownBy(() -> fixture.acquire("a", FIXED)).hasCauseInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofMillis(1));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void acquireArrivingAfterReleaseIsReleasedAgain() {
        fixture.store.troubles.add(Trouble.REQUEST_LATE);
        assertThatThrownBy(() -> fixture.acquire("a", FIXED)).hasCauseInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofMillis(50));
        assertThat(fixture.count("release")).as("the release that overtook it").isEqualTo(1);
        fixture.store.deliver();
        assertThat(fixture.onServer("a")).isPresent();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void backgroundReleaseOutlastsOutageUntilLeaseEnds() {
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        fixture.store.always = Trouble.NOT_CONNECTED;
        assertThatThrownBy(() -> fixture.acquire("a", FIXED)).hasCauseInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(7));
        assertThat(fixture.count("release")).isGreaterThanOrEqualTo(4);
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.onServer("a")).isEmpty();
        long sent = fixture.count("release");
        fixture.time.pass(Duration.ofMinutes(10));
        assertThat(fixture.count("release")).isEqualTo(sent);
        assertThat(fixture.time.pendingTimers()).isZero();
    }

    @Test
    void refusalNeedsNoRelease() {
        fixture.store.troubles.add(Trouble.REFUSED);
        assertThatThrownBy(() -> fixture.acquire("a", FIXED)).hasCauseInstanceOf(StoreRefusedException.class);
        fixture.time.pass(Duration.ofMinutes(1));
        assertThat(fixture.count("release")).isZero();
    }

    @Test
    void tokenOfCallerIsNotReleasedInBackground() {
        LockOptions mine = FIXED.toBuilder().token("uid").build();
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(() -> fixture.acquire("a", mine)).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(fixture.acquire("a", mine).isHeld()).isTrue();
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.onServer("a")).isPresent();
    }

    @Test
    void adoptedTokenOfCallerIsNotReleasedInBackground() {
        LockOptions mine = FIXED.toBuilder().token("order-7").build();
        fixture.acquire("a", mine).handOff();
        Lease adopted = fixture.engine.adopt(EngineFixture.ask("a", FIXED), "order-7");
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(adopted::release).isInstanceOf(StoreUnavailableException.class);
        Lease again = fixture.acquire("a", mine);
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(again.isHeldOnServer()).isTrue();
    }

    @Test
    void adoptedTokenOfClientIsReleasedInBackground() {
        String token = fixture.acquire("a", FIXED).handOff();
        Lease adopted = fixture.engine.adopt(EngineFixture.ask("a", FIXED), token);
        fixture.store.troubles.add(Trouble.NOT_CONNECTED);
        assertThatThrownBy(adopted::release).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void expiredGrantIsReleasedAndNotReturned() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        CompletableFuture<Optional<Lease>> request =
                fixture.request("a", FIXED, WaitPlan.of(FIXED).within(Duration.ofMinutes(1)));
        fixture.time.freeze(Duration.ofMillis(9_950));
        fixture.store.deliver();
        assertThat(request).isNotDone();
        fixture.time.pass(Duration.ofSeconds(1));
        Lease lease = request.join().orElseThrow();
        assertThat(lease.attempts()).isEqualTo(2);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(8));
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(lease.isHeldOnServer())
                .as("the first token's release does not hurt the second")
                .isTrue();
    }

    @Test
    void grantDuringCancellationIsReleased() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", FIXED, WaitPlan.NONE);
        assertThat(request.cancel(true)).isTrue();
        assertThat(fixture.onServer("a")).isPresent();
        fixture.store.deliver();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void cutReleaseIsRepeatedAndReturnsTrue() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        assertThat(lease.release()).isTrue();
        assertThat(fixture.count("release")).isEqualTo(2);
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void failedReleaseIsRepeatedInBackground() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.NOT_CONNECTED);
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        assertThat(lease.isHeld()).isFalse();
        fixture.time.pass(Duration.ofMillis(1));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    /** Only the release finds out that the lock is no longer held: the work may have run beside another holder. */
    @Test
    void closeThrowsLossFoundByRelease() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        lease.close();
    }

    @Test
    void closeThrowsNoFailureOfRelease() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        lease.close();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void thousandsOfBackgroundReleasesAreLimited() {
        fixture.store.always = Trouble.REPLY_TIMED_OUT;
        for (int i = 0; i < 1000; i++) {
            assertThat(fixture.request("key" + i, FIXED, WaitPlan.NONE)).isCompletedExceptionally();
        }
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        fixture.time.pass(Duration.ofMillis(1));
        assertThat(fixture.count("release")).as("in flight at a time").isEqualTo(2);
    }

    @Test
    void lateGrantToTokenOfCallerIsNotReleased() {
        LockOptions mine = FIXED.toBuilder().token("uid").build();
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", mine, WaitPlan.of(mine));
        fixture.time.freeze(Duration.ofSeconds(10));
        fixture.store.deliver();
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(request.join().orElseThrow().isHeldOnServer()).isTrue();
        assertThat(fixture.count("release")).isZero();
    }

    @Test
    void notHeldIsTrustedAfterThreeReplies() {
        LockOptions endless = LockOptions.builder().noExpiry().build();
        fixture.store.troubles.addAll(List.of(Trouble.REQUEST_LATE, Trouble.NOT_CONNECTED, Trouble.NOT_CONNECTED));
        assertThat(fixture.request("a", endless, WaitPlan.NONE)).isCompletedExceptionally();
        fixture.time.pass(Duration.ofMillis(1_150));
        assertThat(fixture.count("release"))
                .as("two that failed, and a first denial")
                .isEqualTo(3);
        fixture.store.deliver();
        fixture.time.pass(Duration.ofHours(1));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void lateRequestIsReleasedAfterBusyReply() {
        Lease other = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REQUEST_LATE_AND_CUT);
        LockOptions endless = LockOptions.builder().noExpiry().build();
        assertThat(fixture.request("a", endless, WaitPlan.NONE).join()).isEmpty();
        other.release();
        fixture.store.deliver();
        assertThat(fixture.onServer("a")).isPresent();
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void immediateBackgroundReleasesDoNotGrowStack() {
        int many = 20_000;
        BackgroundReleaser background = new BackgroundReleaser(
                request -> fixture.store.release(request, CallMode.ASYNCHRONOUS),
                fixture.store::grantSource,
                fixture.time,
                fixture.time,
                2,
                many);
        fixture.store.troubles.addAll(List.of(Trouble.REPLY_HELD_BACK, Trouble.REPLY_HELD_BACK));
        for (int i = 0; i < many; i++) {
            Subject subject = Subject.lock(LockKey.of("", "k" + i));
            ReleaseRequest request = ReleaseRequest.of(subject.claim(), "t");
            background.release(subject, request, new Validity(ClockReading.now(fixture.time), 1));
        }
        fixture.time.pass(Duration.ZERO);
        fixture.store.deliver();
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(fixture.count("release k")).isGreaterThanOrEqualTo(many);
    }

    @Test
    void requestIsNotSentWithoutTimer() {
        fixture.time.atSchedule = () -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> fixture.request("a", FIXED)).isInstanceOf(OutOfMemoryError.class);
        }
        assertThat(fixture.store.log).isEmpty();
        fixture.time.atSchedule = () -> {};
        assertThat(fixture.acquire("a", FIXED).isHeld()).isTrue();
    }

    @Test
    void cancelledRequestsLeaveNoTimerBehind() {
        fixture.acquire("a", FIXED);
        LockOptions patient =
                LockOptions.builder().retryInterval(Duration.ofHours(1)).build();
        int before = fixture.time.pendingTimers();
        for (int i = 0; i < 100; i++) {
            fixture.request("a", patient, WaitPlan.of(patient)).cancel(true);
        }
        assertThat(fixture.time.pendingTimers()).isEqualTo(before);
    }
}
