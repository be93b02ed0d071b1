package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.acquire.PendingRequests;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Several locks at once, step by step. */
class AllOfTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    @Test
    void freeLocksTakeOneCall() {
        Lease lease = request(FIXED, "a", "b", "c").join();
        assertThat(fixture.store.log).containsExactly("acquire a b c");
        assertThat(lease.attempts()).isEqualTo(1);
        assertThat(tokens("a", "b", "c")).containsOnly(lease.token());
    }

    @Test
    void releaseTakesOneCall() {
        Lease lease = request(FIXED, "a", "b").join();
        fixture.store.log.clear();
        assertThat(lease.releaseAsync().join()).isTrue();
        assertThat(fixture.store.log).containsExactly("release a b");
        assertThat(tokens("a", "b")).isEmpty();
    }

    @Test
    void waitsForLocksInOrder() {
        Lease second = other.acquire("b", STRICT);
        CompletableFuture<Lease> all = request(FIXED, "a", "b", "c");
        assertThat(all).isNotDone();
        assertThat(fixture.onServer("a")).isPresent();
        assertThat(fixture.inQueue("b")).isEqualTo(1);
        assertThat(fixture.onServer("c")).isEmpty();
        second.releaseAsync().join();
        assertThat(all).isCompleted();
        assertThat(tokens("a", "b", "c")).containsOnly(all.join().token());
        assertThat(all.join().attempts()).isEqualTo(2);
        assertThat(all.join().fencingToken()).isGreaterThan(second.fencingToken());
    }

    @Test
    void lateRequestForOneLockIsReleased() {
        Lease second = other.acquire("b", STRICT);
        // The first asks for all of them, the second for "a" alone: that one is late, and asked again.
        fixture.store.troubles.add(Trouble.NONE);
        fixture.store.troubles.add(Trouble.REQUEST_LATE_AND_CUT);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        second.releaseAsync().join();
        all.join().releaseAsync().join();
        fixture.store.deliver();
        assertThat(fixture.onServer("a")).isPresent();
        fixture.time.pass(Duration.ofSeconds(3));
        assertThat(tokens("a", "b")).isEmpty();
    }

    @Test
    void leaseBeginsWhenAllAreHeld() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        fixture.time.pass(Duration.ofMinutes(2));
        assertThat(fixture.onServer("a")).isPresent();
        second.releaseAsync().join();
        assertThat(all.join().remaining()).isGreaterThan(Duration.ofSeconds(9));
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(all.join().isHeld()).isFalse();
        assertThat(tokens("a", "b")).isEmpty();
    }

    @Test
    void lostPartRestartsAcquisition() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        Lease first = other.acquire("a", RENEWED);
        second.releaseAsync().join();
        assertThat(all).isNotDone();
        assertThat(fixture.onServer("b"))
                .as("not held while it waits for the lock before it")
                .isEmpty();
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        first.releaseAsync().join();
        assertThat(tokens("a", "b")).containsOnly(all.join().token());
    }

    @Test
    void lostFreePartIsAcquiredAgain() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        second.releaseAsync().join();
        assertThat(tokens("a", "b")).containsOnly(all.join().token());
    }

    @Test
    void givingUpReleasesParts() {
        other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        all.cancel(true);
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(fixture.inQueue("b")).isZero();
    }

    /** The store has exchanged the tokens of the parts: they were not lost, and need no release. */
    @Test
    void cancellationDuringExchangeReleasesOnce() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        second.releaseAsync().join();
        fixture.store.log.clear();
        all.cancel(true);
        fixture.store.deliver();
        assertThat(fixture.store.log).containsExactly("release a b");
        assertThat(tokens("a", "b")).isEmpty();
        PendingRequests.assertNone(fixture.engine.requests);
        fixture.time.pass(Duration.ofSeconds(30));
        assertThat(fixture.time.pendingTimers()).isZero();
    }

    @Test
    void cancellationBeforeExchangeIsSentLeavesNothing() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        fillConcurrencyLimit();
        second.releaseAsync().join();
        fixture.store.always = Trouble.NONE;
        fixture.store.log.clear();
        all.cancel(true);
        assertThat(fixture.store.log).containsExactly("release a", "release b");
        assertThat(tokens("a", "b")).isEmpty();
        fixture.store.deliver();
        assertThat(fixture.store.log).hasSize(2);
    }

    @Test
    void deadlineCoversConcurrencyLimit() {
        fillConcurrencyLimit();
        CompletableFuture<Lease> all =
                fixture.engine.acquireAsync(ask(FIXED, WaitPlan.of(FIXED).within(Duration.ofSeconds(2)), "a", "b"));
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(all).isCompletedExceptionally();
        assertThatThrownBy(all::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("too many requests of this client are in flight");
        fixture.store.deliver();
        assertThat(fixture.count("acquire a b")).as("never sent").isZero();
    }

    @Test
    void deadlineCoversConcurrencyLimitOfExchange() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all =
                fixture.engine.acquireAsync(ask(FIXED, WaitPlan.of(FIXED).within(Duration.ofSeconds(2)), "a", "b"));
        fillConcurrencyLimit();
        second.releaseAsync().join();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(all).isCompletedExceptionally();
        assertThatThrownBy(all::join).hasCauseInstanceOf(AcquireTimeoutException.class);
        assertThat(tokens("a", "b")).isEmpty();
    }

    @Test
    void outageOfExchangeIsReportedAtDeadline() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all =
                fixture.engine.acquireAsync(ask(FIXED, WaitPlan.of(FIXED).within(Duration.ofSeconds(2)), "a", "b"));
        fixture.store.always = Trouble.NOT_CONNECTED;
        second.releaseAsync().join();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(all).isNotDone();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(all).isCompletedExceptionally();
        assertThatThrownBy(all::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void freeLocksAreAcquiredInNoTime() {
        RacingCaller slow =
                new RacingCaller(fixture.time).beforeNextStep(() -> fixture.time.freeze(Duration.ofSeconds(1)));
        LeaseRequest all = fixture.engine.requests.start(
                ask(FIXED, WaitPlan.of(FIXED).within(Duration.ofNanos(1)), "a", "b"), slow, null);
        assertThat(all.outcome().join()).isPresent();
    }

    private void fillConcurrencyLimit() {
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        for (int i = 0; i < 64; i++) {
            fixture.request("other " + i, FIXED);
        }
    }

    /** If the server is silent, one release after the other would cost the thread a timeout for each lock. */
    @Test
    void threadDoesNotReleasePartsInTurn() {
        other.acquire("c", RENEWED);
        LeaseRequest all = fixture.engine.requests.start(
                ask(FIXED, WaitPlan.of(FIXED), "a", "b", "c"), new BlockingMode(fixture.time), null);
        fixture.store.releaseModes.clear();
        all.withdraw();
        assertThat(fixture.store.releaseModes)
                .as("of the entry in the queue, and of two locks")
                .containsExactly(CallMode.BLOCKING, CallMode.ASYNCHRONOUS, CallMode.ASYNCHRONOUS);
        assertThat(tokens("a", "b")).isEmpty();
        assertThat(all.settled()).isCompleted();
    }

    /** Stands for a thread that waits. */
    private record BlockingMode(Scheduler scheduler) implements Caller {

        @Override
        public CallMode mode() {
            return CallMode.BLOCKING;
        }

        @Override
        public void execute(Runnable step) {
            step.run();
        }

        @Override
        public Scheduler.Timer later(long delayNanos, Runnable step) {
            return scheduler.schedule(delayNanos, step);
        }
    }

    @Test
    void timeoutNamesLocksAndMissingHolder() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all =
                fixture.engine.acquireAsync(ask(FIXED, WaitPlan.of(FIXED).within(Duration.ofSeconds(3)), "a", "b"));
        fixture.time.pass(Duration.ofSeconds(4));
        assertThatThrownBy(all::join)
                .hasCauseInstanceOf(AcquireTimeoutException.class)
                .hasMessageContaining("locks 'a', 'b'")
                .hasMessageContaining("lock 'b'")
                .hasMessageContaining(second.token());
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(fixture.inQueue("b")).isZero();
    }

    @Test
    void closeReleasesParts() {
        other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        fixture.engine.close();
        assertThatThrownBy(all::join).hasCauseInstanceOf(KeyholdClosedException.class);
        assertThat(other.onServer("a")).isEmpty();
        assertThat(other.inQueue("b")).isZero();
    }

    @Test
    void lossOfOneIsLossOfAll() {
        Lease lease = request(RENEWED, "a", "b").join();
        fixture.store.server.forceRelease("b", CallMode.BLOCKING);
        fixture.time.pass(Duration.ofSeconds(12));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lost().toCompletableFuture().join().reason()).isEqualTo(LeaseLost.Reason.GONE);
        assertThat(tokens("a", "b")).as("what was not lost is free for others").isEmpty();
    }

    @Test
    void finalRequestOfUnknownOutcomeLeavesNothing() {
        Lease second = other.acquire("b", RENEWED);
        CompletableFuture<Lease> all = request(FIXED, "a", "b");
        fixture.store.troubles.add(Trouble.REQUEST_LATE);
        second.releaseAsync().join();
        assertThat(all).isNotDone();
        fixture.store.deliver(); // The server now holds both for a request that has ended.
        fixture.time.pass(Duration.ofSeconds(9));
        assertThat(all).isCompleted();
        assertThat(all.join().release()).isTrue();
        fixture.time.pass(Duration.ofSeconds(9));
        assertThat(tokens("a", "b")).isEmpty();
    }

    private CompletableFuture<Lease> request(LockOptions options, String... keys) {
        return fixture.engine.acquireAsync(ask(options, WaitPlan.of(options), keys));
    }

    private static AcquireSpec ask(LockOptions options, WaitPlan plan, String... keys) {
        List<String> sorted = List.of(keys);
        String names =
                String.join(", ", sorted.stream().map(key -> "'" + key + "'").toList());
        Subject subject = new Subject(names, "locks " + names, new Claim.Locks(sorted, List.of()), List.of());
        return new AcquireSpec(subject, options, plan);
    }

    private List<String> tokens(String... keys) {
        return List.of(keys).stream()
                .map(fixture::onServer)
                .flatMap(Optional::stream)
                .map(LockHolder::token)
                .toList();
    }
}
