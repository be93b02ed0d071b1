package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key that rests: nothing of the hold that has ended may end the rest, or prolong it. */
class RestTest {

    private static final Duration REST = Duration.ofMinutes(1);
    private static final LockOptions LONG =
            LockOptions.builder().lease(Duration.ofHours(1)).build();

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    /** Moves on to some seconds before the end of a rest that began now, and then behind it. */
    private void assertRests(Duration allowance) {
        fixture.time.pass(REST.minusSeconds(5));
        assertThat(fixture.onServer("a"))
                .hasValueSatisfying(holder -> assertThat(holder.isResting()).isTrue());
        fixture.time.pass(Duration.ofSeconds(5).plus(allowance));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void waiterLearnsOfShorterRest() {
        Lease lease = fixture.acquire("a", LONG);
        CompletableFuture<Optional<Lease>> waiter = other.request("a", STRICT);
        assertThat(lease.releaseAfter(Duration.ofMillis(100))).isTrue();
        fixture.time.pass(Duration.ofMillis(99));
        assertThat(waiter).isNotDone();
        fixture.time.pass(Duration.ofMillis(55));
        assertThat(waiter).isCompleted();
    }

    @Test
    void waiterSleepsUntilEndOfLongerRest() {
        Lease lease = fixture.acquire("a", FIXED);
        CompletableFuture<Optional<Lease>> waiter = other.request("a", STRICT);
        assertThat(lease.releaseAfter(REST)).isTrue();
        fixture.time.pass(REST.minusMillis(1));
        assertThat(waiter).isNotDone();
        assertThat(other.count("acquire")).as("it does not poll").isLessThan(12);
        fixture.time.pass(Duration.ofMillis(60));
        assertThat(waiter).isCompleted();
    }

    @Test
    void restingLockIsNotHandedOverLocally() {
        Lease lease = fixture.acquire("a", RENEWED);
        CompletableFuture<Optional<Lease>> waiter = fixture.request("a", RENEWED);
        assertThat(lease.releaseAfter(REST)).isTrue();
        fixture.time.pass(REST.minusMillis(1));
        assertThat(waiter).isNotDone();
        fixture.time.pass(Duration.ofMillis(60));
        assertThat(waiter).isCompleted();
    }

    @Test
    void clientThatRestedKeepsItsQueueEntry() {
        Lease lease = fixture.acquire("a", LONG);
        CompletableFuture<Optional<Lease>> own = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> behind = other.request("a", STRICT);
        lease.releaseAfter(Duration.ofMillis(100));
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(own).isCompleted();
        assertThat(behind).isNotDone();
    }

    /** Only the head of the queue was told when the rest ends. */
    @Test
    void withdrawalDuringRestPromotesNext() {
        Lease lease = fixture.acquire("a", LONG);
        CompletableFuture<Optional<Lease>> told = other.request("a", STRICT);
        CompletableFuture<Optional<Lease>> sameClient = other.request("a", STRICT);
        CompletableFuture<Optional<Lease>> last = fixture.request("a", STRICT);
        lease.releaseAfter(Duration.ofMillis(100));
        told.cancel(false);
        sameClient.cancel(false);
        fixture.time.pass(Duration.ofMillis(160));
        assertThat(last).isCompleted();
    }

    @Test
    void withdrawalJustAfterRestTellsNextWaiter() {
        Lease lease = fixture.acquire("a", LONG);
        CompletableFuture<Optional<Lease>> told = other.request("a", STRICT);
        CompletableFuture<Optional<Lease>> next = fixture.request("a", STRICT);
        lease.releaseAfter(Duration.ofMillis(100));
        fixture.time.pass(Duration.ofMillis(100)); // The waiter that was told asks a millisecond later, or more.
        assertThat(told).isNotDone();
        told.cancel(false);
        assertThat(next).isCompleted();
    }

    /** Two requests of one client reach the server in another order than they began: the head of its queue is not the client's first. */
    @Test
    void headOfQueueThatIsNotFirstOfItsClientChecks() {
        Lease lease = fixture.acquire("a", LONG);
        // Its first command finds the lock held. The second would join the queue, and is lost.
        other.store.troubles.addAll(List.of(Trouble.NONE, Trouble.REQUEST_FAILS_WHEN_DELIVERED));
        CompletableFuture<Optional<Lease>> began = other.request("a", STRICT);
        CompletableFuture<Optional<Lease>> head = other.request("a", STRICT);
        other.store.deliver();
        fixture.time.pass(Duration.ofMillis(100));
        assertThat(fixture.inQueue("a")).isEqualTo(2);
        lease.releaseAfter(Duration.ofMillis(200));
        fixture.time.pass(Duration.ofMillis(255));
        assertThat(head).isCompleted();
        assertThat(began).isNotDone();
    }

    @Test
    void untoldWaiterAsksWithinTenSeconds() {
        Lease lease = fixture.acquire("a", LONG);
        CompletableFuture<Optional<Lease>> waiter = other.request("a", STRICT);
        other.store.channel.messages = TroubledChannel.Messages.LOST;
        lease.releaseAfter(Duration.ofMillis(100));
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(waiter).isCompleted();
    }

    @Test
    void lostReplyDoesNotEndRest() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(() -> lease.releaseAfter(REST)).isInstanceOf(StoreUnavailableException.class);
        assertThat(lease.isHeld()).isFalse();
        assertRests(Duration.ZERO);
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
        assertThat(fixture.time.pendingTimers()).as("nothing is repeated").isZero();
    }

    @Test
    void cutReplyOfRestCountsAsReleased() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        assertThat(lease.releaseAfter(REST)).isTrue();
        assertRests(Duration.ZERO);
    }

    /** The request is executed once more when it was executed in the background already. */
    @ParameterizedTest
    @EnumSource(names = {"REQUEST_LATE", "REQUEST_LATE_AND_CUT"})
    void lateRequestDoesNotEndRest(Trouble trouble) {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(trouble);
        if (trouble == Trouble.REQUEST_LATE) {
            assertThatThrownBy(() -> lease.releaseAfter(REST)).isInstanceOf(StoreUnavailableException.class);
        } else {
            assertThat(lease.releaseAfter(REST)).isTrue();
        }
        fixture.time.pass(Duration.ofMillis(1));
        fixture.store.deliver();
        assertRests(Duration.ZERO);
    }

    @Test
    void backgroundReleaseSendsRemainingRest() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.always = Trouble.NOT_CONNECTED;
        assertThatThrownBy(() -> lease.releaseAfter(REST)).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.onServer("a")).map(LockHolder::isResting).hasValue(false);
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(REST.minusSeconds(6));
        assertThat(fixture.onServer("a")).map(LockHolder::isResting).hasValue(true);
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(fixture.onServer("a")).as("no longer than the rest in all").isEmpty();
    }

    @Test
    void restOverOnContactIsRelease() {
        Lease lease = fixture.acquire("a", LONG);
        fixture.store.always = Trouble.NOT_CONNECTED;
        assertThatThrownBy(() -> lease.releaseAfter(Duration.ofSeconds(3)))
                .isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(4));
        assertThat(fixture.onServer("a")).isPresent();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void lateRenewalDoesNotProlongRest() {
        Lease lease = fixture.acquire("a", RENEWED);
        fixture.store.troubles.add(Trouble.REQUEST_LATE);
        fixture.time.pass(Duration.ofSeconds(10).plusMillis(300));
        assertThat(fixture.count("renew")).isEqualTo(1);
        assertThat(lease.releaseAfter(Duration.ofSeconds(2))).isTrue();
        fixture.store.deliver();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(fixture.onServer("a")).isEmpty();
    }

    /** The acquire is repeated, and the first one arrives when the key rests. Its compensating release follows. */
    @Test
    void acquireArrivingDuringRestLeavesNothing() {
        fixture.store.troubles.add(Trouble.REQUEST_LATE_AND_CUT);
        Lease lease = fixture.acquire("a", FIXED);
        assertThat(lease.releaseAfter(REST)).isTrue();
        fixture.store.deliver();
        assertRests(Duration.ZERO);
        assertThat(fixture.inQueue("a")).isZero();
    }

    /** Both tasks are for one hold: the compensating release must not take the place of the rest. */
    @Test
    void compensatingReleaseKeepsRest() {
        fixture.store.troubles.add(Trouble.REQUEST_LATE_AND_CUT);
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.NOT_CONNECTED);
        assertThatThrownBy(() -> lease.releaseAfter(REST)).isInstanceOf(StoreUnavailableException.class);
        assertRests(Duration.ZERO);
    }

    @Test
    void restEndsHoldWithoutExpiry() {
        Lease lease = fixture.acquire("a", LockOptions.builder().noExpiry().build());
        assertThat(lease.releaseAfter(REST)).isTrue();
        assertRests(Duration.ZERO);
    }

    @Test
    void restBelowOneMillisecondIsOne() {
        Lease lease = fixture.acquire("a", FIXED);
        assertThat(lease.releaseAfter(Duration.ofNanos(1))).isTrue();
        assertThat(fixture.onServer("a")).isPresent();
        fixture.time.pass(Duration.ofMillis(1));
        assertThat(fixture.onServer("a")).isEmpty();
    }
}
