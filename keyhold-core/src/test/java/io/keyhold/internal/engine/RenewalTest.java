package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.spi.CallMode;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Renewal, validity and loss, to the millisecond. */
class RenewalTest {

    private final EngineFixture fixture = new EngineFixture();

    @Test
    void leaseIsRenewedEveryThirdOfItsLength() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.time.pass(Duration.ofMillis(9_900));
        assertThat(fixture.count("renew")).isZero();
        fixture.time.pass(Duration.ofMillis(400));
        assertThat(fixture.count("renew")).isEqualTo(1);
        fixture.time.pass(Duration.ofMinutes(10));
        assertThat(fixture.count("renew")).isBetween(57L, 61L);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.isHeldOnServer()).isTrue();
    }

    @Test
    void leasesStayRenewedWhenMostOfTheirRoundWereReleased() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            leases.add(fixture.acquire("a" + i, RENEWED));
        }
        for (int i = 0; i < 40; i++) {
            if (i % 4 != 0) {
                leases.get(i).release();
            }
        }
        fixture.time.pass(Duration.ofMinutes(2));
        for (int i = 0; i < 40; i++) {
            assertThat(leases.get(i).isHeld()).isEqualTo(i % 4 == 0);
            assertThat(fixture.onServer("a" + i).isPresent()).isEqualTo(i % 4 == 0);
        }
    }

    @Test
    void releasedLeasesAreNotKeptUntilTheirRound() {
        Lease kept = fixture.acquire("kept", RENEWED);
        List<WeakReference<Lease>> released = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Lease lease = fixture.acquire("a", RENEWED);
            lease.release();
            released.add(new WeakReference<>(lease));
        }
        System.gc();
        assertThat(released)
                .filteredOn(lease -> lease.get() != null)
                .as("leases in memory")
                .hasSizeLessThan(100);
        assertThat(kept.isHeld()).isTrue();
    }

    @Test
    void validityIsLeaseLessOnePercentAndTwoMilliseconds() {
        Lease lease = fixture.acquire("a", FIXED);
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(9_898));
        fixture.time.pass(Duration.ofMillis(9_897));
        assertThat(lease.isHeld()).isTrue();
        fixture.time.pass(Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
    }

    @Test
    void validityCountsFromBeforeRequestWasSent() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        var request = fixture.request("a", FIXED, WaitPlan.NONE);
        fixture.time.freeze(Duration.ofSeconds(4));
        fixture.store.deliver();
        assertThat(request.join().orElseThrow().remaining()).isEqualTo(Duration.ofMillis(5_898));
    }

    @Test
    void suspendedMachineLosesItsLeases() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.time.suspend(Duration.ofSeconds(31));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
    }

    @Test
    void wallClockThatIsSetBackDoesNotProlongLease() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.time.suspend(Duration.ofHours(-1));
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void outageShorterThanLeaseLosesNothing() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofSeconds(28));
        assertThat(lease.isHeld()).isTrue();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(60));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.isHeldOnServer()).isTrue();
    }

    @Test
    void longOutageLosesLeaseBeforeServerExpiry() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofMillis(29_698));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
        assertThat(fixture.onServer("a"))
                .as("another client could not have it yet")
                .isPresent();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofMillis(100));
        assertThat(fixture.onServer("a"))
                .as("what may be left of it is released")
                .isEmpty();
    }

    @Test
    void renewalWithoutReplyLosesLeaseInTime() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        fixture.time.pass(Duration.ofMillis(29_698));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
    }

    @Test
    void lateRenewalDoesNotCutExtensionShort() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.troubles.add(Trouble.REQUEST_LATE);
        fixture.time.pass(Duration.ofMillis(10_300));
        assertThat(lease.extend(Duration.ofMinutes(5))).isTrue();
        fixture.store.deliver();
        assertThat(fixture.onServer("a").orElseThrow().remaining().orElseThrow())
                .isGreaterThan(Duration.ofSeconds(299));
    }

    @Test
    void lateRenewalReplyDoesNotReviveLease() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        fixture.time.pass(Duration.ofMillis(10_300));
        fixture.time.freeze(Duration.ofSeconds(20));
        assertThat(lease.isHeld()).isFalse();
        fixture.store.deliver();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
    }

    @Test
    void renewalsAreBatched() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            leases.add(fixture.acquire("key" + i, RENEWED));
        }
        fixture.time.pass(Duration.ofSeconds(15));
        assertThat(fixture.count("renew")).isEqualTo(4);
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void refusedBatchIsRenewedOneByOne() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            leases.add(fixture.acquire("key" + i, RENEWED));
        }
        fixture.store.server.forceRelease("key3", CallMode.BLOCKING);
        fixture.store.troubles.add(Trouble.REFUSED);
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(fixture.count("renew")).isEqualTo(11);
        assertThat(leases)
                .filteredOn(lease -> !lease.isHeld())
                .extracting(Lease::key)
                .containsExactly("key3");
    }

    @Test
    void releasedLeaseIsNotRenewed() {
        Lease lease = fixture.acquire("a", RENEWED);
        assertThat(lease.release()).isTrue();
        fixture.time.pass(Duration.ofMinutes(5));
        assertThat(fixture.count("renew")).isZero();
        assertThat(fixture.time.pendingTimers()).isZero();
    }

    @Test
    void nextLeaseOfTimeSlotNeedsNoTimer() {
        fixture.acquire("a", RENEWED).release();
        AtomicInteger timers = new AtomicInteger();
        fixture.time.atSchedule = timers::incrementAndGet;
        for (int i = 0; i < 10; i++) {
            fixture.acquire("a", RENEWED).release();
        }
        assertThat(timers).hasValue(0);
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.time.pass(Duration.ofSeconds(40));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void oneTimerIsLeftOfReleasedLeases() {
        fixture.acquire("a", RENEWED).release();
        int before = fixture.time.pendingTimers();
        for (int i = 0; i < 4; i++) {
            fixture.time.pass(Duration.ofSeconds(1));
            fixture.acquire("a", RENEWED).release();
            assertThat(fixture.time.pendingTimers()).isEqualTo(before);
        }
    }

    @Test
    void releaseDuringRenewalStands() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        fixture.time.pass(Duration.ofMillis(10_300));
        assertThat(lease.release()).isTrue();
        fixture.store.deliver();
        fixture.time.pass(Duration.ofMinutes(5));
        assertThat(lease.isHeld()).isFalse();
        assertThat(fixture.count("renew")).isEqualTo(1);
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void lossWithoutExpiryIsNoticed() {
        Lease lease = fixture.acquire("a", LockOptions.builder().noExpiry().build());
        fixture.time.pass(Duration.ofDays(2));
        assertThat(lease.isHeld()).isTrue();
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.GONE);
    }

    @Test
    void throwingListenerStopsNothing() {
        CompletableFuture<LeaseLost> second = new CompletableFuture<>();
        fixture.acquire(
                "a",
                FIXED.toBuilder()
                        .onLost(loss -> {
                            throw new IllegalStateException("listener");
                        })
                        .build());
        fixture.acquire("b", FIXED.toBuilder().onLost(second::complete).build());
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(second).isDone();
    }

    @Test
    void slowGrantIsRenewedInTime() {
        LockOptions options =
                LockOptions.builder().lease(Duration.ofSeconds(3)).renew(true).build();
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        var request = fixture.request("a", options, WaitPlan.NONE);
        fixture.time.freeze(Duration.ofMillis(2_500));
        fixture.store.deliver();
        Lease lease = request.join().orElseThrow();
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void lossIsReportedBeforeServerExpiry() {
        for (long millis = 500; millis < 12_000; millis += 211) {
            for (int delay = 0; delay < 400; delay += 37) {
                EngineFixture one = new EngineFixture();
                Lease lease = one.acquire(
                        "a",
                        LockOptions.builder()
                                .lease(Duration.ofMillis(millis))
                                .renew(true)
                                .build());
                one.store.always = Trouble.REPLY_HELD_BACK;
                one.time.pass(Duration.ofMillis(millis / 3 + millis / 30 + 2 + delay));
                one.store.always = Trouble.NOT_CONNECTED;
                one.store.deliver();
                one.time.pass(lease.remaining().plusMillis(1));
                assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
            }
        }
    }

    @Test
    void extendOfLeaseWithoutExpiryReportsItsLoss() {
        Lease lease = fixture.acquire("a", LockOptions.builder().noExpiry().build());
        assertThat(lease.extend(Duration.ofSeconds(5))).isTrue();
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        assertThat(lease.extend(Duration.ofSeconds(5))).isFalse();
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.GONE);
    }

    @Test
    void extendWithoutReplyIsReleasedAtExpiry() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.time.pass(Duration.ofMillis(9_890));
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1))).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void extendWithLateReplyIsReleasedAtExpiry() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.time.pass(Duration.ofMillis(9_890));
        fixture.store.afterRenew = () -> fixture.time.freeze(Duration.ofSeconds(1));
        assertThat(lease.extend(Duration.ofHours(1))).isFalse();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
        assertThat(fixture.onServer("a")).isEmpty();
    }

    /** One thread finds the lease over just as another one has the reply that prolongs it. */
    @Test
    void extendThatMeetsExpiryLeavesNothingBehind() throws InterruptedException {
        HeldLease lease = (HeldLease) fixture.acquire("a", FIXED);
        fixture.time.pass(Duration.ofMillis(9_890));
        CountDownLatch replied = new CountDownLatch(1);
        CompletableFuture<Void> finding = new CompletableFuture<>();
        fixture.store.afterRenew = () -> {
            replied.countDown();
            finding.join();
        };
        CompletableFuture<Boolean> extended = new CompletableFuture<>();
        Thread other = new Thread(() -> extended.complete(lease.extend(Duration.ofHours(1))));
        other.start();
        replied.await();
        fixture.time.atNextReading(() -> {
            finding.complete(null);
            while (!extended.isDone() && other.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            fixture.time.freeze(Duration.ofSeconds(1));
        });
        assertThat(lease.loseIfOver()).isTrue();
        other.join();
        assertThat(extended).isCompletedWithValue(false);
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void renewedLeaseWithExtendWithoutReplyIsReleasedAfterLongOutage() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1))).isInstanceOf(StoreUnavailableException.class);
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofMinutes(5));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void expiredLeaseWhoseExtendsHadRepliesSendsNothing() {
        Lease lease = fixture.acquire("a", FIXED);
        assertThat(lease.extend(Duration.ofMinutes(1))).isTrue();
        fixture.time.pass(Duration.ofMinutes(2));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
        assertThat(fixture.count("release")).isZero();
    }

    /** Nothing of it was sent, so that the server cannot hold the lease for longer than this client is certain of. */
    @Test
    void expiredLeaseWhoseExtendWasRefusedSendsNothing() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.longLeaseRefusal = Optional.of("too long");
        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("too long");
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
        assertThat(fixture.count("release")).isZero();
    }

    @Test
    void outageKeepsRenewalsBatched() {
        for (int i = 0; i < 256; i++) {
            fixture.acquire("key" + i, RENEWED);
        }
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofSeconds(29));
        assertThat(fixture.count("renew")).isLessThan(100);
    }

    @Test
    void serverNotServingKeepsRenewalsBatched() {
        for (int i = 0; i < 256; i++) {
            fixture.acquire("key" + i, RENEWED);
        }
        fixture.store.always = Trouble.READ_ONLY;
        fixture.time.pass(Duration.ofSeconds(29));
        assertThat(fixture.count("renew")).isLessThan(100);
    }

    @Test
    void errorInListenerKeepsRenewalsRunning() {
        fixture.acquire(
                "a",
                RENEWED.toBuilder()
                        .onLost(loss -> {
                            throw new AssertionError("listener");
                        })
                        .build());
        fixture.acquire(
                "c",
                RENEWED.toBuilder().onLost(loss -> Undeclared.ioException()).build());
        fixture.store.server.forceRelease("c", CallMode.BLOCKING);
        Lease other = fixture.acquire("b", RENEWED);
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        fixture.time.pass(Duration.ofMinutes(4));
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void callbackExecutorAtThreadLimitKeepsRenewalsRunning() {
        AtThreadLimit executor = new AtThreadLimit();
        EngineFixture one = new EngineFixture(new ManualTime(), executor);
        Lease lost = one.acquire("a", RENEWED);
        Lease kept = one.acquire("b", RENEWED);
        one.store.server.forceRelease("a", CallMode.BLOCKING);
        executor.errorsLeft = 1;
        one.time.pass(Duration.ofMinutes(4));
        assertThat(executor.errorsLeft).isZero();
        assertThat(lost(lost).reason()).isEqualTo(LeaseLost.Reason.GONE);
        assertThat(kept.isHeld()).isTrue();
    }

    @Test
    void extendLateInOutageKeepsLeaseRenewed() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofMillis(29_600));
        fixture.store.always = Trouble.NONE;
        long renewals = fixture.count("renew");
        assertThat(lease.extend(Duration.ofSeconds(30))).isTrue();
        fixture.time.pass(Duration.ofSeconds(60));
        assertThat(lease.isHeld()).isTrue();
        assertThat(fixture.count("renew")).isBetween(renewals + 4, renewals + 9);
    }

    private static LeaseLost lost(Lease lease) {
        CompletableFuture<LeaseLost> lost = lease.lost().toCompletableFuture();
        assertThat(lost).as("reported as lost").isDone();
        return lost.join();
    }
}
