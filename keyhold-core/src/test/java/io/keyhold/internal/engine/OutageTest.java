package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.engine.TroubledChannel.Opening;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that goes away while requests wait for its locks: what is waited out, and what is told to all at once. */
class OutageTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    /** The server is gone: nothing is sent, and the grant channel is closed. */
    private void serverEnds(Trouble trouble) {
        fixture.store.always = trouble;
        fixture.store.channel.alwaysOpening = Opening.FAILS;
        fixture.store.channel.cutAtServer();
    }

    private void serverReturns() {
        fixture.store.always = Trouble.NONE;
        fixture.store.channel.alwaysOpening = Opening.WORKS;
    }

    private static void assertFailed(CompletableFuture<Optional<Lease>> request) {
        assertThat(request).isCompletedExceptionally();
        assertThatThrownBy(request::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_CONNECTED", "REPLY_TIMED_OUT", "REPLY_CUT", "READ_ONLY"})
    void waiterIsServedSoonAfterOutage(Trouble trouble) {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        serverEnds(trouble);
        fixture.time.pass(Duration.ofSeconds(8));
        assertThat(request).isNotDone();
        serverReturns();
        holder.release();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(request).isCompleted();
        assertThat(request.join().orElseThrow().isHeldOnServer()).isTrue();
        assertThat(fixture.inQueue("a")).isZero();
    }

    @Test
    void deadlineIsUsedInOutage() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT, Duration.ofMinutes(1));
        serverEnds(Trouble.NOT_CONNECTED);
        fixture.time.pass(Duration.ofSeconds(55));
        assertThat(request).isNotDone();
        serverReturns();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(request).isCompleted();
    }

    @Test
    void deadlineInOutageReportsItsFailure() {
        other.acquire("a", STRICT.toBuilder().noExpiry().build());
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT, Duration.ofSeconds(5));
        serverEnds(Trouble.NOT_CONNECTED);
        fixture.time.pass(Duration.ofSeconds(5));
        assertFailed(request);
        serverReturns();
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(fixture.inQueue("a")).as("its entry was withdrawn").isZero();
    }

    @Test
    void requestWithoutDeadlineOutlastsOutageOfOneLease() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        serverEnds(Trouble.NOT_CONNECTED);
        fixture.time.pass(LEASE.minusMillis(100));
        assertThat(request).isNotDone();
        fixture.time.pass(Duration.ofSeconds(1));
        assertFailed(request);
    }

    @Test
    void firstContactFailsFast() {
        serverEnds(Trouble.NOT_CONNECTED);
        assertFailed(fixture.request("a", STRICT, Duration.ofMinutes(1)));
        assertThat(fixture.count("acquire")).isEqualTo(1);
    }

    /** The server has replied, so that its address is right. */
    @Test
    void firstRequestWaitsForReplicas() {
        fixture.store.always = Trouble.UNACKNOWLEDGED;
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT, Duration.ofMinutes(1));
        fixture.time.pass(Duration.ofSeconds(30));
        assertThat(request).isNotDone();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(request).isCompleted();
        assertThat(request.join().orElseThrow().isHeldOnServer()).isTrue();
    }

    @Test
    void requestWithoutReplicasIsRefusedAtItsDeadline() {
        fixture.store.always = Trouble.UNACKNOWLEDGED;
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT, Duration.ofSeconds(5));
        fixture.time.pass(Duration.ofSeconds(5));
        assertRefused(request, "NOREPLICAS");
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void permanentRefusalFailsAtOnce() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.always = Trouble.REFUSED;
        fixture.store.channel.cut();
        assertRefused(request, "OOM");
    }

    @Test
    void transientErrorIsRetriedAndReportedIfItStays() {
        other.acquire("a", STRICT.toBuilder().noExpiry().build());
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT, Duration.ofSeconds(5));
        serverEnds(Trouble.READ_ONLY);
        fixture.time.pass(Duration.ofMillis(4900));
        assertThat(request).isNotDone();
        fixture.time.pass(Duration.ofMillis(100));
        assertRefused(request, "READONLY");
    }

    private static void assertRefused(CompletableFuture<Optional<Lease>> request, String code) {
        assertThat(request).isCompletedExceptionally();
        assertThatThrownBy(request::join)
                .cause()
                .isInstanceOfSatisfying(
                        StoreRefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @Test
    void allOfOutlastsOutageOfOneLeaseInTotal() {
        other.acquire("b", STRICT.toBuilder().noExpiry().build());
        CompletableFuture<Lease> both = allOf();
        serverEnds(Trouble.NOT_CONNECTED);
        fixture.time.pass(LEASE.minusMillis(100));
        assertThat(both).isNotDone();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(both).isCompletedExceptionally();
    }

    @Test
    void allOfIsServedAfterOutage() {
        Lease holder = other.acquire("b", FIXED);
        CompletableFuture<Lease> both = allOf();
        serverEnds(Trouble.NOT_CONNECTED);
        fixture.time.pass(Duration.ofSeconds(8));
        serverReturns();
        holder.release();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(both).isCompleted();
        assertThat(both.join().isHeldOnServer()).isTrue();
    }

    private CompletableFuture<Lease> allOf() {
        Subject subject =
                new Subject("'a', 'b'", "locks 'a', 'b'", new Claim.Locks(List.of("a", "b"), List.of()), List.of());
        return fixture.engine.acquireAsync(new AcquireSpec(subject, FIXED, WaitPlan.of(FIXED)));
    }

    @Test
    void silentStoreFailsAllRequestsOfKey() {
        fixture.store.troubles.add(Trouble.REQUEST_FAILS_WHEN_DELIVERED);
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(fixture.request("a", FIXED, Duration.ofSeconds(20)));
        }
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(requests).noneMatch(CompletableFuture::isDone);
        fixture.store.deliver();
        fixture.time.pass(Duration.ZERO);
        assertThat(requests).allSatisfy(OutageTest::assertFailed);
        assertThat(fixture.count("acquire")).as("one asked for all").isEqualTo(1);
    }

    @Test
    void busyIsNotReportedBeforeContact() {
        fixture.store.troubles.add(Trouble.REQUEST_FAILS_WHEN_DELIVERED);
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(fixture.request("a", FIXED, Duration.ofSeconds(1)));
        }
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(requests).as("past their deadlines").noneMatch(CompletableFuture::isDone);
        fixture.store.deliver();
        fixture.time.pass(Duration.ZERO);
        assertThat(requests).allSatisfy(OutageTest::assertFailed);
    }

    @Test
    void busyIsReportedAfterContact() {
        other.acquire("a", STRICT);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(fixture.request("a", FIXED, Duration.ofSeconds(1)));
        }
        fixture.time.pass(Duration.ofSeconds(2));
        fixture.store.deliver();
        fixture.time.pass(Duration.ZERO);
        assertThat(requests).allSatisfy(request -> assertThat(request.join()).isEmpty());
        assertThat(fixture.inQueue("a")).isZero();
    }

    /** The lock was released within the client, but the release got no reply. */
    @Test
    void failedReleaseIsReportedToNextRequest() {
        Lease first = fixture.request("a", FIXED).join().orElseThrow();
        first.token(); // So that there is no local hand-over.
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED, Duration.ofSeconds(3));
        CompletableFuture<Optional<Lease>> third = fixture.request("a", FIXED, Duration.ofSeconds(20));
        fixture.store.always = Trouble.NOT_CONNECTED;
        assertThat(first.releaseAsync()).isCompletedExceptionally();
        fixture.time.pass(Duration.ofSeconds(3));
        assertFailed(second);
        assertThat(third).as("has time").isNotDone();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(8));
        assertThat(third.join()).as("released in the background").isPresent();
    }

    @Test
    void timeoutDuringReleaseReturnsEmpty() {
        Lease first = fixture.request("a", FIXED).join().orElseThrow();
        first.token();
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED, Duration.ofSeconds(1));
        CompletableFuture<Optional<Lease>> third = fixture.request("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        first.releaseAsync();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(second.join()).as("the lock was its own client's").isEmpty();
        assertThat(third).isNotDone();
        fixture.store.deliver();
        fixture.time.pass(Duration.ZERO);
        assertThat(third.join()).isPresent();
    }

    /** The timer that promotes the next may be late: the next must learn of the failure before its deadline. */
    @Test
    void timeoutBeforeKnownFailureReportsIt() {
        fixture.store.troubles.add(Trouble.REQUEST_FAILS_WHEN_DELIVERED);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED, Duration.ofSeconds(1));
        // The first timer is that of the background release, and the second promotes the next.
        fixture.time.atSchedule = () -> fixture.time.atSchedule = () -> {
            fixture.time.atSchedule = () -> {};
            fixture.time.passToNext(); // The deadline of the second, before it is called.
        };
        fixture.time.lateTimers = Duration.ofSeconds(10);
        fixture.store.deliver();
        assertFailed(first);
        fixture.time.lateTimers = Duration.ZERO;
        fixture.time.pass(Duration.ofSeconds(20));
        assertFailed(second);
    }

    /** The second fails at its deadline, and the third looks at it before it is called and knows of the failure. */
    @Test
    void failureAtDeadlineIsNoContactForNext() {
        fixture.store.troubles.add(Trouble.REQUEST_FAILS_WHEN_DELIVERED);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED, Duration.ofSeconds(1));
        CompletableFuture<Optional<Lease>> third = fixture.request("a", FIXED, Duration.ofSeconds(2));
        fixture.time.lateTimers = Duration.ofSeconds(10);
        fixture.store.deliver();
        assertFailed(first);
        fixture.time.lateTimers = Duration.ZERO;
        second.cancel(true); // It is over before it was called, and knows nothing.
        fixture.time.pass(Duration.ofSeconds(3));
        assertThat(third).isNotDone();
        fixture.time.pass(Duration.ofSeconds(10));
        assertFailed(third);
    }

    @Test
    void cancelledHeadPassesOnContact() {
        fixture.store.troubles.add(Trouble.REQUEST_FAILS_WHEN_DELIVERED);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        first.cancel(true);
        fixture.store.deliver();
        fixture.time.pass(Duration.ZERO);
        assertFailed(second);
    }

    @Test
    void delayedRequestsCountLeaseFromSending() {
        LockOptions brief =
                LockOptions.builder().lease(Duration.ofSeconds(1)).renew(false).build();
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 640; i++) {
            requests.add(fixture.request("key" + i, brief, WaitPlan.NONE));
        }
        for (int round = 0; round < 10; round++) {
            fixture.time.pass(Duration.ofMillis(300));
            fixture.store.deliverOnce();
        }
        assertThat(requests).allSatisfy(request -> assertThat(request.join()).isPresent());
        assertThat(fixture.count("acquire")).as("each was granted at once").isEqualTo(640);
    }

    @Test
    void deadlineCoversConcurrencyLimit() {
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        for (int i = 0; i < 64; i++) {
            fixture.request("key" + i, FIXED, WaitPlan.NONE);
        }
        CompletableFuture<Optional<Lease>> head = fixture.request("a", FIXED, Duration.ofSeconds(2));
        CompletableFuture<Optional<Lease>> behind = fixture.request("a", FIXED, Duration.ofSeconds(1));
        fixture.time.pass(Duration.ofMillis(1_100));
        assertFailed(behind);
        assertThatThrownBy(behind::join).hasMessageContaining("too many requests of this client are in flight");
        assertThat(head).isNotDone();
        fixture.time.pass(Duration.ofSeconds(1));
        assertFailed(head);
        fixture.store.always = Trouble.NONE;
        fixture.store.deliver();
        assertThat(fixture.count("acquire a")).as("never sent").isZero();
        assertThat(fixture.request("a", FIXED).join()).isPresent();
    }

    @Test
    void cancelledRequestOfLocalQueueIsNotSent() {
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        for (int i = 0; i < 64; i++) {
            fixture.request("key" + i, FIXED, WaitPlan.NONE);
        }
        LeaseRequest request = fixture.start(EngineFixture.ask("a", FIXED));
        request.withdraw();
        assertThat(request.settled()).isDone();
        fixture.store.deliver();
        assertThat(fixture.count("acquire a")).isZero();
    }
}
