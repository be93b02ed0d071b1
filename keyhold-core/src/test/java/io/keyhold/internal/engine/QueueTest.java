package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.internal.engine.TroubledChannel.Messages;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.store.AcquireRequest.Detail;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Waiting in the store's queue: the order of grants, their time, and their cost. */
class QueueTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    private Lease lease(CompletableFuture<Optional<Lease>> request) {
        assertThat(request).isCompleted();
        return request.join().orElseThrow();
    }

    @Test
    void lockIsHandedOverInOrder() {
        Lease holder = fixture.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = other.request("a", STRICT);
        CompletableFuture<Optional<Lease>> third = fixture.request("a", STRICT);
        holder.release();
        Lease one = lease(first);
        assertThat(second).isNotDone();
        one.release();
        Lease two = lease(second);
        assertThat(third).isNotDone();
        two.release();
        Lease three = lease(third);
        assertThat(holder.fencingToken()).isLessThan(one.fencingToken());
        assertThat(one.fencingToken()).isLessThan(two.fencingToken());
        assertThat(two.fencingToken()).isLessThan(three.fencingToken());
    }

    @Test
    void grantToReleasingClientComesWithReply() {
        Lease holder = fixture.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> next = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.LOST;
        holder.release();
        assertThat(lease(next).isHeld()).isTrue();
    }

    @Test
    void grantWithLostReplyIsFoundByPolling() {
        for (Trouble trouble : List.of(Trouble.REPLY_CUT, Trouble.REPLY_TIMED_OUT)) {
            Lease holder = fixture.acquire("a", STRICT);
            CompletableFuture<Optional<Lease>> next = fixture.request("a", STRICT);
            fixture.store.channel.messages = Messages.LOST;
            fixture.store.troubles.add(trouble);
            CompletableFuture<Boolean> released = holder.releaseAsync();
            assertThat(released).as("no time has passed").isDone();
            lease(next).release();
            fixture.store.channel.messages = Messages.ARRIVE;
        }
    }

    /** A paused server executes the release after the waiter has asked again, and after a background release has timed out. */
    @Test
    void grantOfLateReleaseIsFoundByPolling() {
        Lease holder = fixture.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> next = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.LOST;
        fixture.store.troubles.addAll(List.of(Trouble.REQUEST_LATE, Trouble.NONE, Trouble.REQUEST_LATE));
        CompletableFuture<Boolean> released = holder.releaseAsync();
        fixture.time.pass(Duration.ZERO);
        assertThat(released).isCompletedExceptionally();
        assertThat(fixture.store.troubles).isEmpty();
        fixture.store.deliver();
        assertThat(next).as("the reply with its grant is lost").isNotDone();
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(lease(next).isHeld()).isTrue();
    }

    /** The client's clock says how long ago the release was sent; the server's clock, which may be another one's, does not count. */
    @Test
    void grantByReplyCountsFromRelease() {
        Lease holder = fixture.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> next = fixture.request("a", STRICT);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        holder.releaseAsync();
        fixture.time.pass(Duration.ofSeconds(3));
        fixture.store.deliver();
        assertThat(lease(next).remaining()).isBetween(Duration.ofMillis(6_800), Duration.ofMillis(6_900));
    }

    @Test
    void waiterSendsNothingUntilPollIsDue() {
        LockOptions lasting = STRICT.toBuilder().lease(Duration.ofSeconds(8)).build();
        other.acquire("a", lasting);
        fixture.request("a", lasting);
        fixture.request("a", lasting);
        int sent = fixture.store.log.size();
        fixture.time.pass(Duration.ofMillis(7_990));
        assertThat(fixture.store.log).hasSize(sent);
    }

    @Test
    void onlyFirstWaiterOfClientPolls() {
        LockOptions endless = STRICT.toBuilder().noExpiry().build();
        other.acquire("a", endless);
        for (int i = 0; i < 10; i++) {
            fixture.request("a", endless);
        }
        long sent = fixture.count("acquire");
        fixture.time.pass(Duration.ofSeconds(31));
        assertThat(fixture.count("acquire") - sent).as("every ten seconds").isEqualTo(3);
    }

    @Test
    void newFirstWaiterPollsWhenLeaseEnds() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", STRICT);
        fixture.time.pass(Duration.ofSeconds(8));
        first.cancel(true);
        fixture.time.pass(Duration.ofMillis(2_100));
        assertThat(second).as("the holder's lease has ended").isCompleted();
    }

    @Test
    void newFirstWaiterPollsForeignHolder() {
        fixture.store.foreignHolder = true;
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        fixture.request("a", STRICT);
        first.cancel(true);
        long sent = fixture.count("acquire");
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(fixture.count("acquire") - sent).as("looks in a second").isGreaterThan(5);
        assertThat(holder.isHeld()).isTrue();
    }

    @Test
    void newFirstWaiterPollsQueue() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", STRICT);
        first.cancel(true);
        fixture.time.pass(Duration.ofMillis(10_100));
        assertThat(second).as("the holder's lease has ended").isCompleted();
    }

    /** A lease without an end must not become a look without a pause: what is added to the longest time overflows. */
    @Test
    void newFirstWaiterOfEndlessLeaseDoesNotAskAtOnce() {
        LockOptions endless = STRICT.toBuilder().noExpiry().build();
        other.acquire("a", endless);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", endless);
        fixture.request("a", endless);
        first.cancel(true);
        long sent = fixture.count("acquire");
        fixture.time.pass(Duration.ofSeconds(9));
        assertThat(fixture.count("acquire")).isEqualTo(sent);
    }

    @Test
    void eachNewFirstWaiterPollsTenSecondsLater() {
        LockOptions endless = STRICT.toBuilder().noExpiry().build();
        other.acquire("a", endless);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", endless);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", endless);
        fixture.request("a", endless);
        first.cancel(true);
        fixture.time.pass(Duration.ofSeconds(8));
        second.cancel(true);
        long sent = fixture.count("acquire");
        fixture.time.pass(Duration.ofMillis(9_900));
        assertThat(fixture.count("acquire")).as("the timer of the second ended").isEqualTo(sent);
        fixture.time.pass(Duration.ofMillis(200));
        assertThat(fixture.count("acquire")).isEqualTo(sent + 1);
    }

    /** The timer that was set for the second would end after ten seconds. */
    @Test
    void newFirstWaiterPollsSoonerThanTheOneBefore() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", STRICT);
        fixture.store.foreignHolder = true;
        fixture.request("a", STRICT);
        first.cancel(true);
        second.cancel(true);
        long sent = fixture.count("acquire");
        fixture.time.pass(Duration.ofSeconds(1));
        assertThat(fixture.count("acquire") - sent).as("looks in a second").isGreaterThan(5);
    }

    /** To restart it at each grant would cost as much as the thread switch that it saves. */
    @Test
    void grantsShareTimerForNextWaiters() {
        Lease holder = fixture.acquire("a", STRICT);
        List<CompletableFuture<Optional<Lease>>> requests = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            requests.add(fixture.request("a", STRICT));
        }
        AtomicInteger timers = new AtomicInteger();
        fixture.time.atSchedule = timers::incrementAndGet;
        holder.release();
        for (CompletableFuture<Optional<Lease>> request : requests) {
            lease(request).release();
        }
        assertThat(timers)
                .as("one for the end of each lease, and one for all waiters")
                .hasValue(6);
    }

    @Test
    void lastWaiterLeavesNoTimerBehind() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", STRICT);
        int before = fixture.time.pendingTimers();
        first.cancel(true);
        assertThat(fixture.time.pendingTimers()).as("now for the second").isEqualTo(before);
        second.cancel(true);
        assertThat(fixture.time.pendingTimers()).isEqualTo(before - 1);
    }

    @Test
    void firstWaiterPollsAfterDeathOfHolder() {
        other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = other.request("a", STRICT);
        fixture.time.pass(Duration.ofMillis(10_060));
        Lease one = lease(first);
        assertThat(second).isNotDone();
        one.release();
        assertThat(lease(second).isHeldOnServer()).isTrue();
    }

    @Test
    void foreignHolderIsPolled() {
        other.acquire("a", LockOptions.builder().lease(Duration.ofHours(1)).build());
        fixture.store.foreignHolder = true;
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        long sent = fixture.count("acquire");
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.count("acquire") - sent).isBetween(50L, 110L);
        assertThat(request).isNotDone();
        assertThat(fixture.inQueue("a")).as("however often it asks").isEqualTo(1);
    }

    @Test
    void grantBeforeReplyToQueueingCounts() {
        Lease holder = other.acquire("a", STRICT);
        assertThat(fixture.request("b", STRICT).join())
                .isPresent(); // The channel is open only after a request had to wait.
        fixture.request("b", STRICT);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        holder.release();
        assertThat(request).as("the reply tells how the clocks relate").isNotDone();
        fixture.store.deliver();
        assertThat(lease(request).isHeldOnServer()).isTrue();
        assertThat(fixture.inQueue("a")).isZero();
    }

    /** The grant was lost again before the second request was replied to: the reply is the news, the message is history. */
    @Test
    void grantOlderThanReplyIsIgnored() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.HELD_BACK;
        holder.release();
        // The lease that it was given ends, and another takes the lock, before it looks.
        fixture.time.freeze(Duration.ofSeconds(11));
        Lease later = other.acquire("a", STRICT);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        fixture.time.pass(Duration.ZERO);
        fixture.store.channel.deliver();
        fixture.store.channel.messages = Messages.ARRIVE;
        fixture.store.deliver();
        assertThat(request).isNotDone();
        assertThat(later.isHeldOnServer()).isTrue();
        later.release();
        assertThat(lease(request).isHeldOnServer()).isTrue();
    }

    /** The grant was lost again, and the waiter knows of the next holder, before the message arrives. */
    @Test
    void grantThatArrivesAfterNewerReplyIsChecked() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.HELD_BACK;
        holder.release();
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        fixture.time.pass(Duration.ofMillis(1));
        Lease later = other.acquire("a", STRICT);
        fixture.store.channel.cut(); // The waiter asks again.
        fixture.store.channel.messages = Messages.ARRIVE;
        fixture.store.channel.deliver();
        assertThat(request).isNotDone();
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        later.release();
        assertThat(lease(request).isHeldOnServer()).isTrue();
    }

    /** Its deadline covers the question whether the grant still stands. */
    @Test
    void grantThatArrivesAfterNewerReplyAndDeadlineEndsRequest() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT, Duration.ofSeconds(2));
        fixture.store.channel.messages = Messages.HELD_BACK;
        holder.release();
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        fixture.time.pass(Duration.ofMillis(1));
        other.acquire("a", STRICT);
        fixture.store.channel.cut(); // The waiter asks again.
        int asked = fixture.store.details.size();
        fixture.store.channel.messages = Messages.ARRIVE;
        fixture.time.freeze(Duration.ofSeconds(3));
        fixture.store.channel.deliver();
        assertThat(request).isCompletedWithValue(Optional.empty());
        assertThat(fixture.store.details).hasSize(asked);
        assertThat(fixture.inQueue("a")).isZero();
    }

    @Test
    void expiredGrantIsReleasedAndRequestedAgain() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> next = other.request("a", STRICT);
        fixture.store.channel.messages = Messages.HELD_BACK;
        holder.release();
        String lateToken = fixture.onServer("a").orElseThrow().token();
        long lateFence = fixture.onServer("a").orElseThrow().fencingToken().orElseThrow();
        fixture.time.freeze(Duration.ofMillis(9_950));
        fixture.store.channel.messages = Messages.ARRIVE;
        fixture.store.channel.deliver();
        assertThat(request).isNotDone();
        fixture.time.pass(Duration.ofMillis(10));
        Lease passedBy = lease(next);
        passedBy.release();
        Lease lease = lease(request);
        assertThat(lease.token()).isNotEqualTo(lateToken);
        assertThat(lease.fencingToken()).isGreaterThan(passedBy.fencingToken()).isGreaterThan(lateFence);
        assertThat(lease.isHeldOnServer()).isTrue();
    }

    @Test
    void lostGrantIsFoundByNextPoll() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.LOST;
        holder.release();
        fixture.store.channel.messages = Messages.ARRIVE;
        fixture.time.pass(Duration.ofMillis(10_050));
        assertThat(lease(request).isHeldOnServer()).isTrue();
    }

    @Test
    void repeatedGrantMessageIsIgnored() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.channel.messages = Messages.HELD_BACK;
        holder.release();
        fixture.time.pass(Duration.ofSeconds(11));
        Lease lease = lease(request);
        assertThat(lease.attempts()).as("the look found the grant").isGreaterThan(1);
        fixture.store.channel.deliver();
        assertThat(lease.isHeldOnServer()).isTrue();
        assertThat(fixture.inQueue("a")).isZero();
    }

    @Test
    void onlyFirstWaiterGetsFullReply() {
        other.acquire("a", STRICT);
        fixture.request("a", STRICT);
        fixture.request("a", STRICT);
        assertThat(fixture.store.details)
                .as("alone, to find that it has to wait; as the first; as the second")
                .containsExactly(Detail.FULL, Detail.FULL, Detail.BRIEF);
        fixture.time.freeze(Duration.ofSeconds(6));
        fixture.request("a", STRICT);
        assertThat(fixture.store.details)
                .as("the clocks may have drifted apart")
                .last()
                .isEqualTo(Detail.FULL);
    }

    @Test
    void briefReplySuffices() {
        Lease holder = other.acquire("a", STRICT);
        CompletableFuture<Optional<Lease>> first = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> second = fixture.request("a", STRICT);
        assertThat(fixture.store.details).last().isEqualTo(Detail.BRIEF);
        holder.release();
        lease(first).release();
        assertThat(lease(second).remaining()).isGreaterThan(Duration.ofSeconds(9));
    }

    @Test
    void storeWithoutChannelIsPolled() {
        fixture.store.channel.alwaysOpening = TroubledChannel.Opening.NOT_OFFERED;
        Lease holder = other.acquire("a", FIXED);
        LockOptions batched = FIXED.toBuilder().fairness(Fairness.BATCHED).build();
        CompletableFuture<Optional<Lease>> leader = fixture.request("a", batched);
        CompletableFuture<Optional<Lease>> follower = fixture.request("a", batched);
        holder.release();
        fixture.time.pass(Duration.ofMillis(200));
        lease(leader).release();
        fixture.time.pass(Duration.ofMillis(200));
        lease(follower).release();
        CompletableFuture<Optional<Lease>> strict = fixture.request("a", STRICT);
        assertThat(strict).isCompleted();
        assertThat(fixture.inQueue("a")).isZero();
    }
}
