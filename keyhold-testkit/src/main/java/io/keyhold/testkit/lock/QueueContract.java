package io.keyhold.testkit.lock;

import static io.keyhold.testkit.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting in line, for stores that have one. Every hold here has a lease that does not end during the test. */
public interface QueueContract extends StoreUnderTest {

    /** Long enough that whoever is granted the lock here got it from somebody who let go of it. */
    LockOptions STRICT = LockOptions.builder()
            .lease(Duration.ofMinutes(10))
            .renew(true)
            .fairness(Fairness.STRICT)
            .build();

    /** The same, passed on within a client. */
    LockOptions BATCHED = STRICT.toBuilder()
            .fairness(Fairness.BATCHED)
            .maxLocalTime(Duration.ofMinutes(1))
            .build();

    @Test
    default void whoComesFirstIsServedFirst() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key, STRICT).acquire();
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                waiters.add((i % 2 == 0 ? second : first).lock(key, STRICT).acquireAsync());
                awaitQueue(first, key, i + 1);
            }
            Lease last = held;
            for (CompletableFuture<Lease> waiter : waiters) {
                assertThat(waiters.stream().filter(CompletableFuture::isDone)).isEmpty();
                last.release();
                Lease next = waiter.get();
                assertThat(next.fencingToken()).isGreaterThan(last.fencingToken());
                waiters = waiters.subList(1, waiters.size());
                last = next;
            }
            last.release();
            assertThat(first.lock(key).isLocked()).isFalse();
        }
    }

    @Test
    default void inspectionShowsWhoWaitsInWhichOrderAndSinceWhen() throws Exception {
        try (Keyhold holder = client().clientName("holder").build();
                Keyhold early = client().clientName("early").build();
                Keyhold late = client().clientName("late").build()) {
            String key = freshKey();
            Instant before = Instant.now().minusMillis(1);
            Lease held = holder.lock(key).acquire();
            CompletableFuture<Lease> one = early.lock(key).acquireAsync();
            awaitQueue(holder, key, 1);
            CompletableFuture<Lease> two = late.lock(key).acquireAsync();
            LockSnapshot shown = awaitQueue(holder, key, 2);

            assertThat(shown.queue())
                    .extracting(LockWaiter::clientName)
                    .extracting(name -> name.orElse("none"))
                    .containsExactly("early", "late");
            assertThat(shown.queue())
                    .allSatisfy(waiter -> assertThat(waiter.waitingSince()).isBetween(before, Instant.now()))
                    .allSatisfy(waiter -> assertThat(waiter.processId())
                            .hasValue(ProcessHandle.current().pid()));
            assertThat(holder.inspect().list(key))
                    .extracting(LockSnapshot::queue)
                    .containsExactly(shown.queue());
            String next = shown.queue().get(0).token();
            held.release();
            assertThat(one.get().token()).isEqualTo(next);
            one.get().release();
            two.get().release();
            assertThat(holder.inspect().lock(key).waiting()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void whoGivesUpLeavesTheLine(LockFace face) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key).acquire();
            assertThat(face.tryAcquire(second.lock(key, STRICT), Duration.ofMillis(30)))
                    .isEmpty();
            awaitQueue(first, key, 0);
            CompletableFuture<Lease> cancelled = second.lock(key, STRICT).acquireAsync();
            awaitQueue(first, key, 1);
            cancelled.cancel(true);
            awaitQueue(first, key, 0);
            Background<Lease> interrupted =
                    Background.start(() -> second.lock(key, STRICT).acquire());
            awaitQueue(first, key, 1);
            interrupted.interrupt();
            assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
            assertThat(first.inspect().lock(key).waiting()).isZero();
            held.release();
            assertThat(first.lock(key).isLocked()).isFalse();
        }
    }

    @Test
    default void aClientThatIsClosedLeavesTheLine() throws Exception {
        try (Keyhold first = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key).acquire();
            CompletableFuture<Lease> behind;
            try (Keyhold second = client().build()) {
                behind = second.lock(key, STRICT).acquireAsync();
                awaitQueue(first, key, 1);
            }
            assertThatThrownBy(behind::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(KeyholdClosedException.class);
            assertThat(first.inspect().lock(key).waiting()).isZero();
            held.release();
            assertThat(first.lock(key).isLocked()).isFalse();
        }
    }

    @Test
    default void whateverFreesTheLockHandsItOver() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedLock lock = second.lock(key, STRICT);
            Lease held = first.lock(key).acquire();
            CompletableFuture<Lease> byToken = lock.acquireAsync();
            awaitQueue(first, key, 1);
            assertThat(first.lock(key).release(held.token())).isTrue();
            byToken.get();

            CompletableFuture<Lease> byForce = lock.acquireAsync();
            awaitQueue(first, key, 1);
            assertThat(first.inspect().forceRelease(key)).isTrue();
            Lease last = byForce.get();
            assertThat(last.fencingToken()).isGreaterThan(byToken.get().fencingToken());
            assertThat(byToken.get().release()).as("it was taken away").isFalse();
            assertThat(last.isOwned()).isTrue();
        }
    }

    @Test
    default void aFreeLockDoesNotGoToANewcomerWhileOthersWait() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.lock(key).acquire().detach();
            CompletableFuture<Lease> waiter = second.lock(key, STRICT).acquireAsync();
            awaitQueue(first, key, 1);
            // As when the holder's lease ends: the lock is free, and nobody has handed it over.
            removeForeign(key);
            assertThat(first.lock(key, STRICT).tryAcquire()).isEmpty();
            assertThat(waiter.get().isOwned()).isTrue();
        }
    }

    @Test
    default void theThreadsOfAClientPassTheLockOnWithGrowingFencingTokens() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease held = keyhold.lock(key, BATCHED).acquire();
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiters.add(keyhold.lock(key, BATCHED).acquireAsync());
            }
            assertThat(keyhold.inspect().lock(key).waiting())
                    .as("they wait inside the client")
                    .isZero();
            Lease last = held;
            for (CompletableFuture<Lease> waiter : waiters) {
                assertThat(last.release()).isTrue();
                assertThat(waiter.get().fencingToken()).isEqualTo(last.fencingToken() + 1);
                last = waiter.get();
            }
            assertThat(last.isOwned()).isTrue();
            long fencingToken = last.fencingToken();
            assertThat(last.release()).isTrue();
            assertThat(keyhold.lock(key).acquire().fencingToken()).isGreaterThan(fencingToken);
        }
    }

    @Test
    default void aHoldThatWasPassedOnCanBeAdoptedAndReleasedByItsToken() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key, BATCHED).acquire();
            CompletableFuture<Lease> passed = first.lock(key, BATCHED).acquireAsync();
            held.release();
            String token = passed.get().handOff();
            Lease adopted = second.lock(key).adopt(token);
            assertThat(adopted.fencingToken()).isEqualTo(passed.get().fencingToken());
            assertThat(first.lock(key).release(token)).isTrue();
            assertThat(adopted.isOwned()).isFalse();
        }
    }

    @Test
    default void aTokenOfAnEarlierHoldNeverReleasesALaterOne() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key, BATCHED).acquire();
            String token = held.token();
            CompletableFuture<Lease> next = first.lock(key, BATCHED).acquireAsync();
            held.release();
            Lease later = next.get();
            assertThat(second.lock(key).release(token)).isFalse();
            assertThat(later.isOwned()).isTrue();
        }
    }

    @Test
    default void aTokenThatIsReadAfterTheLockWasPassedOnReleasesNothing() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease held = keyhold.lock(key, BATCHED).acquire();
            CompletableFuture<Lease> next = keyhold.lock(key, BATCHED).acquireAsync();
            held.release();
            Lease later = next.get();
            assertThat(later.fencingToken()).as("it was passed on").isEqualTo(held.fencingToken() + 1);
            assertThat(keyhold.lock(key).release(held.token())).isFalse();
            assertThat(held.isOwned()).isFalse();
            assertThat(later.isOwned()).isTrue();
        }
    }

    /** Looks until exactly so many wait; the tests' own time limit ends it otherwise. */
    private static LockSnapshot awaitQueue(Keyhold keyhold, String key, long waiting) {
        while (true) {
            LockSnapshot shown = keyhold.inspect().lock(key);
            if (shown.waiting() == waiting) {
                return shown;
            }
            Thread.onSpinWait();
        }
    }
}
