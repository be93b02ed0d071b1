package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.KeyholdListener;
import io.keyhold.LeaderElection;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.client.Client;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.lock.NamedOptions;
import io.keyhold.internal.time.ThreadScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Closing a client whose store does not reply. */
class CloseTest {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final ManualTime time = new ManualTime();
    private final EngineFixture fixture = new EngineFixture(time, Runnable::run);
    private final List<String> events = new ArrayList<>();

    /** The thread that closes waits for timers: whenever one is set, the time moves on as if it passed meanwhile. */
    private Duration timeToClose() {
        long began = time.monotonicNanos();
        time.atSchedule = time::passToNext;
        fixture.engine.close();
        return Duration.ofNanos(time.monotonicNanos() - began);
    }

    @Test
    void releaseWithoutReplyDelaysCloseBriefly() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        assertThat(timeToClose()).isLessThanOrEqualTo(LIMIT);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void requestWithoutReplyDelaysCloseBriefly() {
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        CompletableFuture<Optional<Lease>> request = fixture.request("a", FIXED);
        assertThat(timeToClose()).isLessThanOrEqualTo(LIMIT);
        assertThat(request).isCompletedExceptionally();
    }

    @Test
    void bothWithoutReplyDelayCloseBriefly() {
        fixture.acquire("a", FIXED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        fixture.request("b", FIXED);
        assertThat(timeToClose()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void leasesAreReleasedDespiteRequestWithoutReply() {
        fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        fixture.request("b", FIXED);
        time.atSchedule = () -> {
            assertThat(fixture.onServer("a"))
                    .as("before it waits for the request")
                    .isEmpty();
            time.passToNext();
        };
        fixture.engine.close();
        assertThat(fixture.count("release a")).isEqualTo(1);
    }

    @Test
    void closeWaitsForReleaseInFlight() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        CompletableFuture<Boolean> released = lease.releaseAsync();
        time.atSchedule = fixture.store::deliver;
        fixture.engine.close();
        assertThat(released).isCompletedWithValue(true);
    }

    /** The lease is not held any more, and its release was not sent so far. */
    @Test
    void closeWaitsForReleaseThatBegins() {
        Lease lease = fixture.acquire("a", FIXED);
        time.atCancel = () -> {
            time.atCancel = () -> {};
            time.atSchedule = () -> {
                events.add("waits");
                time.passToNext();
            };
            fixture.engine.close();
        };
        lease.releaseAsync();
        assertThat(events).isNotEmpty();
    }

    /** A callback runs there if the callback executor rejects it, or is none. */
    @Test
    void closeOnTimerThreadEndsWithoutReply() {
        ThreadScheduler timer = new ThreadScheduler("keyhold-timer-close");
        Engine engine = new Engine(
                fixture.store, time, timer, Runnable::run, new TokenText("timer"), new Random(1), Listeners.Setup.NONE);
        assertThat(engine.tryAcquireOnce(EngineFixture.ask("a", FIXED))).isPresent();
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        CompletableFuture<Void> closed = new CompletableFuture<>();
        timer.schedule(0, () -> {
            engine.close();
            closed.complete(null);
        });
        assertThat(closed).succeedsWithin(Duration.ofMinutes(2));
    }

    /** The next request of the local queue was chosen before close() failed it. */
    @Test
    void closeWaitsForHoldThatIsHandedOverToFailedRequest() throws Exception {
        AtomicReference<Runnable> atHandOver = new AtomicReference<>(() -> {});
        KeyholdListener listener = new KeyholdListener() {
            @Override
            public void ended(Ended event) {
                atHandOver.getAndSet(() -> {}).run();
            }
        };
        EngineFixture observed = new EngineFixture(time, Runnable::run, new Listeners.Setup("", List.of(listener)));
        Lease lease = observed.request("a", FIXED).join().orElseThrow();
        observed.request("a", FIXED);
        Thread closing = new Thread(observed.engine::close);
        CountDownLatch closeWaits = new CountDownLatch(1);
        time.atSchedule = () -> {
            if (Thread.currentThread() == closing) {
                events.add("close waits");
                observed.store.deliver(); // The first time nothing is in flight.
                closeWaits.countDown();
            }
        };
        atHandOver.set(() -> {
            observed.store.always = Trouble.REPLY_HELD_BACK;
            closing.start();
            assertThatNoException().isThrownBy(closeWaits::await);
        });
        lease.releaseAsync();
        closing.join();
        assertThat(events).as("for the first hold, and for the second").containsExactly("close waits", "close waits");
        assertThat(observed.onServer("a")).isEmpty();
    }

    @Test
    void releaseInFlightWithoutReplyDelaysCloseBriefly() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        lease.releaseAsync();
        assertThat(timeToClose()).isPositive().isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void releaseOfLeaderWithoutReplyDelaysCloseBriefly() {
        Keyhold client = client();
        LeaderElection election = client.election("boss").onRevoked(() -> events.add("revoked"));
        assertThat(election.isLeader()).isTrue();
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        long began = time.monotonicNanos();
        time.atSchedule = time::passToNext;
        // On another thread: a close without a limit would not end.
        assertThat(CompletableFuture.runAsync(client::close)).succeedsWithin(Duration.ofMinutes(2));
        assertThat(Duration.ofNanos(time.monotonicNanos() - began)).isLessThanOrEqualTo(LIMIT);
        assertThat(events).containsExactly("revoked");
    }

    /** It would never be told that its leadership ends with the client. */
    @Test
    void electionDuringCloseIsRefused() {
        Keyhold client = client();
        client.election("boss").onRevoked(() -> {
            assertThatThrownBy(() -> client.election("deputy")).isInstanceOf(KeyholdClosedException.class);
            events.add("refused");
        });
        client.close();
        assertThat(events).containsExactly("refused");
        assertThat(fixture.count("acquire deputy")).isZero();
    }

    private Keyhold client() {
        return new Client(fixture.engine, "", LockOptions.defaults(), NamedOptions.NONE);
    }

    /** Of a holder that is done just when its client closes: close() fails the requests first, and then releases. */
    @Test
    void holderMayReleaseDuringClose() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.request("a", FIXED).whenComplete((nothing, closed) -> {
            events.add("released: " + lease.releaseAfter(Duration.ofSeconds(5)));
            events.add("held: " + lease.isHeld());
        });
        fixture.engine.close();
        assertThat(events).containsExactly("released: true", "held: false");
        assertThat(fixture.onServer("a")).as("rests").isPresent();
    }

    @Test
    void respondingStoreDelaysNothing() {
        fixture.acquire("a", FIXED);
        fixture.engine.close();
        assertThat(fixture.onServer("a")).isEmpty();
    }
}
