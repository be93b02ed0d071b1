package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.TroubledChannel.Messages;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A request that gives up leaves the queue, and a lock that it was granted meanwhile goes to the next. */
class WithdrawalTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();
    private final Lease holder = other.acquire("a", STRICT);

    /** A thread that is interrupted in the middle of a request may find its connection closed; it asks again, and gives up. */
    @Test
    void withdrawalAfterCutRequestIsImmediate() {
        CompletableFuture<Optional<Lease>> early = fixture.request("a", STRICT);
        assertThat(early.cancel(true)).isTrue();
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        CompletableFuture<Optional<Lease>> waiter = fixture.request("a", STRICT);
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        assertThat(waiter.cancel(true)).isTrue();
        assertThat(fixture.inQueue("a")).as("no time has passed").isZero();
        assertThat(holder.release()).isTrue();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void timeoutLeavesQueue() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT, Duration.ofSeconds(2));
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(request).isCompletedWithValue(Optional.empty());
        assertThat(fixture.inQueue("a")).isZero();
        assertThat(fixture.count("acquire")).as("it did not ask once more").isEqualTo(2);
    }

    @Test
    void cancellationLeavesQueue() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        request.cancel(true);
        assertThat(fixture.inQueue("a")).isZero();
        holder.release();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void interruptLeavesQueueBeforeThrowing() throws InterruptedException {
        Thread waiter = Thread.currentThread();
        Thread interrupter = new Thread(() -> {
            while (fixture.inQueue("a") == 0 || waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            waiter.interrupt();
        });
        interrupter.start();
        AcquireSpec ask = new AcquireSpec(LockKey.of("", "a"), STRICT, WaitPlan.of(STRICT));
        assertThatThrownBy(() -> fixture.engine.acquire(ask)).isInstanceOf(InterruptedException.class);
        assertThat(fixture.inQueue("a")).isZero();
        interrupter.join();
    }

    @Test
    void closeLeavesAllQueues() {
        CompletableFuture<Optional<Lease>> strict = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> leader = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> follower = fixture.request("a", FIXED);
        fixture.engine.close();
        assertThat(fixture.inQueue("a")).isZero();
        for (CompletableFuture<Optional<Lease>> request : List.of(strict, leader, follower)) {
            assertThatThrownBy(request::join).hasCauseInstanceOf(KeyholdClosedException.class);
        }
        assertThat(fixture.store.channel.isConnected()).isFalse();
    }

    @Test
    void grantDuringWithdrawalGoesToNext() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> next = other.request("a", STRICT);
        fixture.store.channel.messages = Messages.HELD_BACK;
        holder.release();
        request.cancel(true);
        assertThat(next).isCompleted();
        fixture.store.channel.deliver();
        assertThat(next.join().orElseThrow().isHeldOnServer()).isTrue();
    }

    @Test
    void failedWithdrawalIsRepeated() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.always = Trouble.NOT_CONNECTED;
        request.cancel(true);
        fixture.time.pass(Duration.ofMinutes(10));
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(fixture.inQueue("a")).isZero();
        long sent = fixture.count("release");
        fixture.time.pass(Duration.ofMinutes(10));
        assertThat(fixture.count("release")).as("it ends").isEqualTo(sent);
    }

    @Test
    void withdrawalWithLostReplyIsRepeated() {
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        fixture.store.troubles.add(Trouble.REQUEST_LATE);
        request.cancel(true);
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        fixture.time.pass(Duration.ZERO);
        assertThat(fixture.inQueue("a")).isZero();
    }

    @Test
    void queueingOfUnknownOutcomeIsWithdrawn() {
        other.acquire("b", STRICT);
        fixture.request("b", STRICT);
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThat(fixture.request("a", STRICT)).isCompletedExceptionally();
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        fixture.time.pass(Duration.ZERO);
        assertThat(fixture.inQueue("a")).isZero();
    }

    /** The first request was cut, and asked again; it reaches the store when the hold that came of the second is over. */
    @Test
    void requestArrivingAfterItsHoldIsReleased() {
        other.acquire("b", STRICT);
        fixture.request("b", STRICT);
        fixture.store.troubles.add(Trouble.REQUEST_LATE_AND_CUT);
        CompletableFuture<Optional<Lease>> request = fixture.request("a", STRICT);
        CompletableFuture<Optional<Lease>> follower = fixture.request("a", STRICT);
        holder.release();
        request.join().orElseThrow().release();
        assertThat(follower.join()).isPresent();
        fixture.store.deliver();
        assertThat(fixture.inQueue("a")).as("an entry without a waiter").isEqualTo(1);
        fixture.time.pass(Duration.ofSeconds(2));
        assertThat(fixture.inQueue("a")).isZero();
        follower.join().orElseThrow().release();
        assertThat(fixture.onServer("a")).isEmpty();
    }

    @Test
    void headThatGivesUpPromotesNext() {
        CompletableFuture<Optional<Lease>> leader = fixture.request("a", FIXED);
        CompletableFuture<Optional<Lease>> follower = fixture.request("a", FIXED);
        leader.cancel(true);
        assertThat(fixture.inQueue("a")).isEqualTo(1);
        holder.release();
        assertThat(follower).isCompleted();
    }
}
