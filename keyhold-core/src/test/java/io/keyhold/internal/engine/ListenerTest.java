package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static io.keyhold.internal.engine.EngineFixture.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.KeyholdClosedException;
import io.keyhold.KeyholdListener.Renewal;
import io.keyhold.KeyholdListener.Request;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What listeners are told, step by step, and when two things happen at the same moment. */
class ListenerTest {

    private final RecordedEvents events = new RecordedEvents();
    private final EngineFixture fixture =
            new EngineFixture(new ManualTime(), Runnable::run, new Listeners.Setup("", List.of(events)));
    private final EngineFixture other = fixture.anotherClient();

    // ---- Races.

    @Test
    void grantAfterTheWithdrawalIsNoEvent() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        LeaseRequest request = fixture.start("a");
        request.withdraw();
        fixture.store.deliver();
        assertThat(request.settled()).isDone();
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(events.told()).containsExactly("1 requested", "1 not granted CANCELLED");
    }

    @Test
    void withdrawalAfterTheGrantIsNoEvent() {
        LeaseRequest request = fixture.start("a");
        request.withdraw();
        assertThat(events.told()).containsExactly("1 requested", "1 granted FREE");
        request.outcome().join().orElseThrow().releaseAsync();
        assertThat(events.told()).endsWith("1 ended RELEASED").hasSize(3);
    }

    /** The timer of the lease is set after the lease has begun and before the outcome is decided. */
    @Test
    void withdrawalBeforeOutcomeLeavesOneEvent() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        LeaseRequest request = fixture.start("a");
        atNextTimer(request::withdraw);
        fixture.store.deliver();
        assertThat(request.settled()).isDone();
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(events.told()).containsExactly("1 requested", "1 not granted CANCELLED");
    }

    /** As a thread does that waits for the outcome, and is faster than the thread that has decided it. */
    @Test
    void endBeforeTheReportOfTheGrantFollowsIt() {
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        fixture.start("a");
        atNextTimer(() -> fixture.engine.requests.leases().held().forEach(HeldLease::releaseAsync));
        fixture.store.deliver();
        assertThat(events.told()).containsExactly("1 requested", "1 granted FREE", "1 ended RELEASED");
    }

    @Test
    void releaseAtTheMomentOfTheLossLeavesOneEnd() throws InterruptedException {
        HeldLease lease = fixture.engine.acquire(ask("a", FIXED));
        fixture.time.atCancel = () -> {
            fixture.time.atCancel = () -> {};
            assertThat(lease.release()).isFalse();
        };
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(events.toldOf(1)).containsExactly("requested", "granted FREE", "ended LOST");
        assertThat(events.ends().get(0).loss().map(LeaseLost::reason)).contains(LeaseLost.Reason.EXPIRED);
    }

    @Test
    void lossAtTheMomentOfTheReleaseLeavesOneEnd() throws InterruptedException {
        HeldLease lease = fixture.engine.acquire(ask("a", FIXED));
        fixture.time.atCancel = () -> {
            fixture.time.atCancel = () -> {};
            fixture.time.freeze(Duration.ofSeconds(11));
            assertThat(lease.loseIfOver()).isTrue();
        };
        lease.release();
        assertThat(events.toldOf(1)).containsExactly("requested", "granted FREE", "ended LOST");
    }

    private void atNextTimer(Runnable crossing) {
        fixture.time.atSchedule = () -> {
            fixture.time.atSchedule = () -> {};
            crossing.run();
        };
    }

    // ---- How a request ends.

    @Test
    void attemptThatDoesNotWaitIsBusy() {
        other.acquire("a", FIXED);
        assertThat(fixture.request("a", FIXED, WaitPlan.NONE).join()).isEmpty();
        assertThat(events.told()).containsExactly("1 requested", "1 not granted BUSY");
        assertThat(events.refusals().get(0).attempts()).isEqualTo(1);
    }

    @Test
    void attemptOfTheHoldingThreadIsBusy() throws InterruptedException {
        fixture.engine.acquire(ask("a", FIXED));
        assertThat(fixture.engine.tryAcquireOnce(ask("a", FIXED))).isEmpty();
        assertThat(fixture.engine.tryAcquire(ask("a", FIXED))).isEmpty();
        assertThat(events.toldOf(2)).containsExactly("requested", "not granted BUSY");
        assertThat(events.toldOf(3)).containsExactly("requested", "not granted BUSY");
    }

    @Test
    void requestThatWaitsInVainTimesOut() {
        other.acquire("a", RENEWED);
        CompletableFuture<Optional<Lease>> waiting = fixture.request("a", STRICT, Duration.ofSeconds(5));
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(waiting.join()).isEmpty();
        assertThat(events.told()).containsExactly("1 requested", "1 not granted TIMED_OUT");
        assertThat(events.refusals().get(0).waited()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void refusalOfTheStoreIsAFailureWithItsException() {
        fixture.store.always = Trouble.REFUSED;
        assertThat(fixture.request("a", FIXED)).isCompletedExceptionally();
        assertThat(events.told()).containsExactly("1 requested", "1 not granted FAILED");
        assertThat(events.refusals().get(0).failure()).containsInstanceOf(StoreRefusedException.class);
    }

    @Test
    void closeFailsWhatWaitsAndReleasesWhatIsHeld() {
        other.acquire("a", RENEWED);
        fixture.request("a", STRICT);
        fixture.acquire("b", RENEWED);
        fixture.engine.close();
        assertThat(events.toldOf(1)).containsExactly("requested", "not granted FAILED");
        assertThat(events.refusals().get(0).failure()).containsInstanceOf(KeyholdClosedException.class);
        assertThat(events.toldOf(2)).containsExactly("requested", "granted FREE", "ended RELEASED");
    }

    @Test
    void closedClientHasNoEvents() {
        fixture.engine.close();
        assertThat(fixture.request("a", FIXED)).isCompletedExceptionally();
        assertThatThrownBy(() -> fixture.engine.adopt(ask("a", FIXED), "token"))
                .isInstanceOf(KeyholdClosedException.class);
        assertThat(events.told()).isEmpty();
    }

    // ---- Paths.

    @Test
    void serverHandsOverThroughTheQueue() {
        Lease held = other.acquire("a", RENEWED);
        fixture.request("a", STRICT);
        fixture.time.pass(Duration.ofSeconds(1));
        held.releaseAsync();
        assertThat(events.told()).containsExactly("1 requested", "1 granted QUEUE");
        assertThat(events.grants().get(0).waited()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void laterAttemptOfARequestThatPollsIsAPoll() {
        LockOptions polling =
                FIXED.toBuilder().retryInterval(Duration.ofSeconds(1)).build();
        Lease held = other.acquire("a", RENEWED);
        fixture.request("a", polling);
        held.releaseAsync();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(events.told()).containsExactly("1 requested", "1 granted POLL");
        assertThat(events.grants().get(0).attempts()).isGreaterThan(1);
    }

    @Test
    void localHandOverEndsOneHoldBeforeTheNextBegins() {
        CompletableFuture<Optional<Lease>> first = fixture.request("a", RENEWED);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", RENEWED);
        first.join().orElseThrow().releaseAsync();
        second.join().orElseThrow().releaseAsync();
        assertThat(events.told())
                .containsExactly(
                        "1 requested",
                        "1 granted FREE",
                        "2 requested",
                        "1 ended RELEASED",
                        "2 granted LOCAL",
                        "2 ended RELEASED");
        assertThat(events.grants().get(0).token())
                .as("the token is told without being read, which would end the hand-overs")
                .isEqualTo(events.grants().get(1).token());
        assertThat(events.grants().get(0).fencingToken())
                .isLessThan(events.grants().get(1).fencingToken());
    }

    @Test
    void handOffAndAdoptionAreTwoRequests() {
        String token = fixture.acquire("a", RENEWED).handOff();
        fixture.engine.adopt(ask("a", RENEWED), token).releaseAsync();
        assertThat(events.told())
                .containsExactly(
                        "1 requested",
                        "1 granted FREE",
                        "1 ended HANDED_OFF",
                        "2 requested",
                        "2 granted ADOPTED",
                        "2 ended RELEASED");
    }

    @Test
    void adoptionOfNothingFails() {
        assertThatThrownBy(() -> fixture.engine.adopt(ask("a", RENEWED), "token"))
                .isInstanceOf(LeaseLostException.class);
        assertThat(events.told()).containsExactly("1 requested", "1 not granted FAILED");
    }

    @Test
    void adoptionThatCrossesACloseFails() {
        String token = fixture.acquire("a", RENEWED).handOff();
        fixture.store.afterAcquire = fixture.engine::close;
        assertThatThrownBy(() -> fixture.engine.adopt(ask("a", RENEWED), token))
                .isInstanceOf(KeyholdClosedException.class);
        assertThat(events.toldOf(2)).containsExactly("requested", "not granted FAILED");
    }

    // ---- Several locks: their parts are no requests of a user.

    @Test
    void severalLocksAreOneRequest() {
        Lease obstacle = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = severalOf("a", "b");
        assertThat(events.told()).containsExactly("1 requested");
        obstacle.releaseAsync();
        all.join().releaseAsync();
        assertThat(events.told()).containsExactly("1 requested", "1 granted QUEUE", "1 ended RELEASED");
        Request request = events.requests().get(0);
        assertThat(request.keys()).containsExactly("a", "b");
        assertThat(request.kind()).isEqualTo(Request.Kind.ALL_OF);
    }

    @Test
    void severalLocksThatAreGivenUpEndOnce() {
        other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = severalOf("a", "b");
        all.cancel(false);
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(events.told()).containsExactly("1 requested", "1 not granted CANCELLED");
    }

    private CompletableFuture<Lease> severalOf(String... keys) {
        Subject all =
                new Subject(String.join(", ", keys), "locks", new Claim.Locks(List.of(keys), List.of()), List.of());
        return fixture.engine.acquireAsync(new AcquireSpec(all, RENEWED, WaitPlan.ENDLESS));
    }

    // ---- Ends.

    @Test
    void lossThatOnlyTheReleaseFindsIsALoss() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.time.pass(Duration.ofSeconds(2));
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        lease.releaseAsync();
        assertThat(events.told()).containsExactly("1 requested", "1 granted FREE", "1 ended LOST");
        assertThat(events.ends().get(0).loss().map(LeaseLost::reason)).contains(LeaseLost.Reason.GONE);
        assertThat(events.ends().get(0).held()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void releaseThatTheServerDoesNotHearOfEndsOnce() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        fixture.store.troubles.addAll(List.of(Trouble.NOT_CONNECTED, Trouble.NOT_CONNECTED));
        assertThat(lease.releaseAsync()).isCompletedExceptionally();
        assertThat(events.told()).containsExactly("1 requested", "1 granted FREE", "1 ended RELEASED");
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(lease.lost().toCompletableFuture()).isDone();
        assertThat(events.told()).as("found lost in the background").hasSize(3);
    }

    @Test
    void callbackExecutorAtThreadLimitDropsEvents() {
        AtThreadLimit executor = new AtThreadLimit();
        EngineFixture one = new EngineFixture(new ManualTime(), executor, new Listeners.Setup("", List.of(events)));
        Lease lease = one.acquire("a", FIXED);
        executor.errorsLeft = 1;
        assertThat(lease.releaseAsync()).isCompletedWithValue(true);
        assertThat(events.told()).as("the end was dropped").containsExactly("1 requested", "1 granted FREE");
        one.acquire("b", FIXED);
        assertThat(events.told()).endsWith("2 requested", "2 granted FREE");
    }

    // ---- Renewals.

    @Test
    void renewalsAreCountedWithTheirMargin() {
        fixture.acquire("a", RENEWED);
        fixture.acquire("b", RENEWED);
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(events.renewals()).hasSize(1);
        Renewal renewal = events.renewals().get(0);
        assertThat(renewal.renewed()).isEqualTo(2);
        assertThat(renewal.lost() + renewal.unknown()).isZero();
        assertThat(renewal.margin().orElseThrow()).isBetween(Duration.ofSeconds(18), Duration.ofSeconds(20));
    }

    @Test
    void renewalWithoutAReplyIsUnknownAndThenLost() {
        fixture.acquire("a", RENEWED);
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(events.renewals()).isNotEmpty().allMatch(renewal -> renewal.unknown() == 1);
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(events.toldOf(1)).containsExactly("requested", "granted FREE", "ended LOST");
        assertThat(events.ends().get(0).loss().map(LeaseLost::reason)).contains(LeaseLost.Reason.UNREACHABLE);
    }

    @Test
    void renewalThatFindsALossCountsIt() {
        fixture.acquire("a", RENEWED);
        fixture.acquire("b", RENEWED);
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        fixture.time.pass(Duration.ofSeconds(11));
        Renewal renewal = events.renewals().get(0);
        assertThat(List.of(renewal.renewed(), renewal.lost(), renewal.unknown()))
                .containsExactly(1, 1, 0);
        assertThat(events.toldOf(1)).endsWith("ended LOST");
    }
}
