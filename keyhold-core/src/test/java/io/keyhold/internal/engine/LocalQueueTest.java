package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.acquire.PendingRequests;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The local queue of a lock: the head asks the store, and the lock is handed over locally to the next. */
class LocalQueueTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    private static Lease lease(CompletableFuture<Optional<Lease>> request) {
        assertThat(request).isCompleted();
        return request.join().orElseThrow();
    }

    @AfterEach
    void nothingIsLeftInTheLocalQueue() {
        fixture.engine.close();
        PendingRequests.assertNone(fixture.engine.requests);
        assertThat(fixture.inQueue("a")).isZero();
    }

    @Test
    void manyRequestsOfClientSendOneAcquire() {
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            requests.add(fixture.request("a", FIXED));
        }
        long fence = 0;
        for (CompletableFuture<Optional<Lease>> request : requests) {
            Lease lease = lease(request);
            assertThat(lease.fencingToken()).isGreaterThan(fence);
            fence = lease.fencingToken();
            assertThat(lease.release()).isTrue();
        }
        assertThat(fixture.store.log).containsExactly("acquire a", "release a");
        assertThat(fixture.acquire("a", FIXED).fencingToken()).isGreaterThan(fence);
    }

    /** The next hold has the same token on the server, and knows nothing of the extension. */
    @Test
    void extendThatMeetsHandOverDoesNotProlongNextHold() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> next = fixture.request("a", FIXED);
        fixture.time.atNextReading(first::releaseAsync); // By another thread, when this one has seen that it is held.
        assertThat(first.extend(Duration.ofHours(1))).isFalse();
        assertThat(lease(next).isHeld()).isTrue();
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void maxLocalHandOversEndsBatch() {
        LockOptions twice = FIXED.toBuilder().maxLocalHandOvers(2).build();
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            requests.add(fixture.request("a", twice));
        }
        CompletableFuture<Optional<Lease>> remote = other.request("a", FIXED);
        lease(requests.get(0)).release();
        lease(requests.get(1)).release();
        Lease third = lease(requests.get(2));
        assertThat(remote).isNotDone();
        third.release();
        assertThat(requests.get(3)).isNotDone();
        Lease away = lease(remote);
        assertThat(away.fencingToken()).isGreaterThan(third.fencingToken());
        away.release();
        assertThat(lease(requests.get(3)).fencingToken()).isGreaterThan(away.fencingToken());
    }

    @Test
    void maxLocalTimeEndsBatch() {
        Lease first = lease(fixture.request("a", RENEWED));
        CompletableFuture<Optional<Lease>> local = fixture.request("a", RENEWED);
        CompletableFuture<Optional<Lease>> remote = other.request("a", RENEWED);
        fixture.time.pass(RENEWED.maxLocalTime());
        first.release();
        assertThat(local).isNotDone();
        lease(remote).release();
        lease(local);
    }

    /** The reply of the release arrives at the very moment at which the next request gives up: it has ended, and does not know that yet. */
    @Test
    void requestEndingDuringReleaseCountsAsContact() {
        Duration wait = Duration.ofMillis(20);
        Lease held = lease(fixture.request("a", FIXED));
        held.token(); // So that there is no local hand-over.
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        LeaseRequest next = started(wait);
        LeaseRequest last = started(wait);
        next.outcome().thenRun(() -> {
            fixture.time.atSchedule = () -> fixture.time.pass(Duration.ZERO); // The timer's thread is fast.
            fixture.store.deliver();
        });
        CompletableFuture<Boolean> released = held.releaseAsync();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(released).isCompletedWithValue(true);
        assertThat(next.outcome()).isCompletedWithValue(Optional.empty());
        assertThat(last.outcome()).isCompletedWithValue(Optional.empty());
    }

    private LeaseRequest started(Duration wait) {
        AcquireSpec spec =
                new AcquireSpec(LockKey.of("", "a"), FIXED, WaitPlan.of(FIXED).within(wait));
        return fixture.start(spec);
    }

    /** The head ends an overdue request at the very moment at which that is promoted; the next one is overdue too. */
    @Test
    void requestEndingDuringPromotionPassesOnContact() {
        Duration wait = Duration.ofMillis(20);
        Lease held = lease(fixture.request("a", FIXED));
        RacingCaller crossed = new RacingCaller(fixture.time);
        AcquireSpec spec =
                new AcquireSpec(LockKey.of("", "a"), FIXED, WaitPlan.of(FIXED).within(wait));
        LeaseRequest next = fixture.engine.requests.start(spec, crossed, null);
        LeaseRequest last = started(wait);
        fixture.time.freeze(Duration.ofMillis(50)); // Timers are late.
        crossed.beforeNextStep(() -> next.outcome().complete(Optional.empty()));
        held.handOff();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(last.outcome()).isCompletedWithValue(Optional.empty());
    }

    @Test
    void tokenReadEndsBatch() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        String token = first.token();
        first.release();
        assertThat(lease(second).isHeldOnServer()).isTrue();
        assertThat(fixture.engine.release(Subject.lock(LockKey.of("", "a")), token))
                .isFalse();
        assertThat(other.engine.release(Subject.lock(LockKey.of("", "a")), token))
                .isFalse();
        assertThat(lease(second).isHeldOnServer()).isTrue();
    }

    /** The token of a hold that was handed over is the token of the next holder. */
    @Test
    void tokenReadAfterHandOverReleasesNoHold() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> third = fixture.request("a", FIXED);
        first.release();
        lease(second).release();
        assertThat(lease(third).isHeldOnServer()).isTrue();
        for (Lease over : List.of(first, lease(second))) {
            assertThat(other.engine.release(Subject.lock(LockKey.of("", "a")), over.token()))
                    .isFalse();
            assertThatThrownBy(() -> other.engine.adopt(EngineFixture.ask("a", FIXED), over.token()))
                    .hasMessageContaining("does not hold it");
        }
        assertThat(lease(third).isHeldOnServer()).isTrue();
        assertThat(lease(third).fencingToken()).isEqualTo(first.fencingToken() + 2);
    }

    @Test
    void handedOverLeaseDoesNotOwnLock() {
        Lease first = lease(fixture.request("a", FIXED));
        fixture.request("a", FIXED);
        first.release();
        assertThat(first.isHeldOnServer()).isFalse();
    }

    @Test
    void tokenOfHandedOverLeaseWorksFromOtherClient() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        lease(fixture.request("b", FIXED));
        fixture.engine.look("a");
        CompletableFuture<Optional<Lease>> third = fixture.request("a", FIXED);
        first.release();
        Lease passed = lease(second);
        String token = passed.token();
        assertThat(token).endsWith("/1");
        Lease adopted = other.engine.adopt(EngineFixture.ask("a", FIXED), token);
        assertThat(adopted.fencingToken()).isEqualTo(passed.fencingToken());
        assertThat(adopted.token()).isEqualTo(token);
        assertThat(other.engine.release(Subject.lock(LockKey.of("", "a")), token))
                .isTrue();
        assertThat(passed.release()).isFalse();
        assertThat(lease(third).fencingToken()).isGreaterThan(passed.fencingToken());
    }

    @Test
    void differentLeaseLengthAsksStore() {
        LockOptions shorter = FIXED.toBuilder().lease(Duration.ofSeconds(9)).build();
        LockOptions renewed = FIXED.toBuilder().renew(true).build();
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", shorter);
        CompletableFuture<Optional<Lease>> third = fixture.request("a", renewed);
        CompletableFuture<Optional<Lease>> fourth = fixture.request("a", FIXED);
        first.release();
        lease(second).release();
        lease(third).release();
        assertThat(lease(fourth).remaining()).isGreaterThan(Duration.ofMillis(9_800));
        assertThat(fixture.count("acquire")).isEqualTo(4);
    }

    @Test
    void partlyUsedLeaseAsksStore() {
        LockOptions patient =
                FIXED.toBuilder().maxLocalTime(Duration.ofMinutes(1)).build();
        Lease first = lease(fixture.request("a", patient));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", patient);
        CompletableFuture<Optional<Lease>> third = fixture.request("a", patient);
        fixture.time.pass(Duration.ofMillis(990));
        first.release();
        assertThat(lease(second).remaining()).as("passed").isBetween(Duration.ofSeconds(8), Duration.ofMillis(8_910));
        fixture.time.pass(Duration.ofMillis(10));
        lease(second).release();
        assertThat(lease(third).remaining()).isGreaterThan(Duration.ofMillis(9_800));
        assertThat(fixture.count("acquire")).isEqualTo(2);
    }

    @Test
    void leaseIsNotHandedOverAfterExtendWithoutReply() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(() -> first.extend(Duration.ofHours(1))).isInstanceOf(StoreUnavailableException.class);
        first.release();
        assertThat(lease(second).isHeld()).isTrue();
        assertThat(fixture.count("acquire")).isEqualTo(2);
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(fixture.onServer("a")).as("after the second hold").isEmpty();
    }

    @Test
    void nextAsksStoreAfterLoss() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(first.isHeld()).isFalse();
        assertThat(lease(second).isHeldOnServer()).isTrue();
    }

    @Test
    void nextAsksStoreAfterHandOff() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        Lease adopted = other.engine.adopt(EngineFixture.ask("a", RENEWED), first.handOff());
        assertThat(second).isNotDone();
        adopted.release();
        assertThat(lease(second).isHeldOnServer()).isTrue();
    }

    @Test
    void withdrawnRequestIsSkipped() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> third = fixture.request("a", FIXED);
        second.cancel(true);
        first.release();
        lease(third);
        assertThat(fixture.count("acquire")).isEqualTo(1);
    }

    @Test
    void timeoutInLocalQueueNamesHolder() {
        Lease first = lease(fixture.request("a", FIXED));
        WaitPlan short_ = WaitPlan.of(FIXED).within(Duration.ofSeconds(1));
        CompletableFuture<Lease> second =
                fixture.engine.acquireAsync(new AcquireSpec(LockKey.of("", "a"), FIXED, short_));
        fixture.time.pass(Duration.ofSeconds(1));
        assertThatThrownBy(second::join).hasMessageContaining("held by " + first.token());
        assertThat(fixture.store.log).containsExactly("acquire a");
    }

    @Test
    void cancelAndCloseOfThousandsLeaveNothing() {
        Lease first = lease(fixture.request("a", FIXED));
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            requests.add(fixture.request("a", FIXED));
        }
        requests.subList(0, 10_000).forEach(request -> request.cancel(true));
        first.release();
        assertThat(requests.get(10_000).join()).isPresent();
        fixture.engine.close();
        assertThat(requests).allMatch(CompletableFuture::isDone);
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(fixture.store.log.size()).as("few of them were the head").isLessThan(200);
    }

    @Test
    void failureOfThousandsDoesNotGrowStack() {
        fixture.store.troubles.add(Trouble.REQUEST_FAILS_WHEN_DELIVERED);
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            requests.add(fixture.request("a", FIXED));
        }
        fixture.store.deliver();
        fixture.time.pass(Duration.ZERO);
        assertThat(requests).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(fixture.count("acquire a")).as("one request for all").isEqualTo(1);
    }

    @Test
    void timeoutOfThousandsDoesNotGrowStack() {
        Lease holder = other.acquire("a", FIXED);
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            requests.add(fixture.request("a", FIXED, Duration.ofSeconds(1)));
        }
        fixture.time.freeze(Duration.ofSeconds(2));
        fixture.time.pass(Duration.ZERO);
        assertThat(requests).allSatisfy(request -> assertThat(request.join()).isEmpty());
        assertThat(holder.isHeldOnServer()).isTrue();
    }

    @Test
    void handOverDuringWithdrawalGoesToNext() {
        Lease first = lease(fixture.request("a", FIXED));
        CompletableFuture<Optional<Lease>> second = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> third = fixture.request("a", FIXED);
        // The lease that it takes sets its timer just before the request decides.
        fixture.time.atSchedule = () -> {
            fixture.time.atSchedule = () -> {};
            second.cancel(true);
        };
        first.release();
        assertThat(lease(third).fencingToken()).isEqualTo(first.fencingToken() + 2);
    }

    /** A request may be promoted before it has set the timer of a waiter: it must not replace the timer of the head with that. */
    @Test
    void requestPromotedWhileQueueingPollsQueue() {
        LockOptions once = FIXED.toBuilder().maxLocalHandOvers(0).build();
        Lease first = lease(fixture.request("a", once));
        CompletableFuture<Optional<Lease>> remote = other.request("a", FIXED);
        RacingCaller crossed = new RacingCaller(fixture.time).beforeNextStep(first::releaseAsync);
        LeaseRequest request = fixture.engine.requests.start(
                new AcquireSpec(LockKey.of("", "a"), once, WaitPlan.of(once)), crossed, null);
        assertThat(lease(remote).isHeldOnServer()).isTrue();
        other.store.always = Trouble.NOT_CONNECTED; // It dies.
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(request.outcome()).isCompleted();
    }
}
