package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting in the queue, for stores that have one. No lease ends during these tests. */
public interface QueueContract extends StoreUnderTest {

    /** So long that no lease ends during a test: each grant follows a release. */
    LockOptions STRICT = LockOptions.builder()
            .lease(Duration.ofMinutes(10))
            .renew(true)
            .fairness(Fairness.STRICT)
            .build();

    @Test
    default void waitersAreServedInOrder() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = lock(first, key, STRICT).acquire();
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                waiters.add(lock(i % 2 == 0 ? second : first, key, STRICT).acquireAsync());
                Waiters.await(first, key, i + 1);
            }
            Waiters.assertServedInOrder(held, waiters).release();
            assertThat(lock(first, key).isLocked()).isFalse();
        }
    }

    @Test
    default void inspectionShowsQueueInOrder() throws Exception {
        try (Keyhold holder = client().clientName("holder").build();
                Keyhold early = client().clientName("early").build();
                Keyhold late = client().clientName("late").build()) {
            String key = freshKey();
            Instant before = Instant.now().minusMillis(1);
            Lease held = lock(holder, key).acquire();
            CompletableFuture<Lease> one = lock(early, key).acquireAsync();
            Waiters.await(holder, key, 1);
            CompletableFuture<Lease> two = lock(late, key).acquireAsync();
            LockSnapshot shown = Waiters.await(holder, key, 2);

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
            assertThat(holder.inspect().lock(key).waiterCount()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void waiterThatGivesUpLeavesQueue(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = lock(first, key).acquire();
            assertThat(style.tryAcquire(lock(second, key, STRICT), Duration.ofMillis(30)))
                    .isEmpty();
            Waiters.await(first, key, 0);
            CompletableFuture<Lease> cancelled = lock(second, key, STRICT).acquireAsync();
            Waiters.await(first, key, 1);
            cancelled.cancel(true);
            Waiters.await(first, key, 0);
            Background<Lease> interrupted =
                    Background.start(() -> lock(second, key, STRICT).acquire());
            Waiters.await(first, key, 1);
            interrupted.interrupt();
            assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
            assertThat(first.inspect().lock(key).waiterCount()).isZero();
            held.release();
            assertThat(lock(first, key).isLocked()).isFalse();
        }
    }

    @Test
    default void closedClientLeavesQueue() throws Exception {
        try (Keyhold first = client().build()) {
            String key = freshKey();
            Lease held = lock(first, key).acquire();
            CompletableFuture<Lease> behind;
            try (Keyhold second = client().build()) {
                behind = lock(second, key, STRICT).acquireAsync();
                Waiters.await(first, key, 1);
            }
            assertThatThrownBy(behind::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(KeyholdClosedException.class);
            assertThat(first.inspect().lock(key).waiterCount()).isZero();
            held.release();
            assertThat(lock(first, key).isLocked()).isFalse();
        }
    }

    @Test
    default void everyReleaseHandsOver() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(second, key, STRICT);
            Lease held = lock(first, key).acquire();
            CompletableFuture<Lease> byToken = lock.acquireAsync();
            Waiters.await(first, key, 1);
            assertThat(lock(first, key).release(held.token())).isTrue();
            byToken.get();

            CompletableFuture<Lease> byForce = lock.acquireAsync();
            Waiters.await(first, key, 1);
            assertThat(first.inspect().forceRelease(key)).isTrue();
            Lease last = byForce.get();
            assertThat(last.fencingToken()).isGreaterThan(byToken.get().fencingToken());
            assertThat(byToken.get().release()).as("force-released").isFalse();
            assertThat(last.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void newcomerDoesNotOvertakeQueue() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            lock(first, key).acquire().detach();
            CompletableFuture<Lease> waiter = lock(second, key, STRICT).acquireAsync();
            Waiters.await(first, key, 1);
            // As when the holder's lease ends: the lock is free, but was not handed over.
            removeForeign(key);
            assertThat(lock(first, key, STRICT).tryAcquire()).isEmpty();
            assertThat(waiter.get().isHeldOnServer()).isTrue();
        }
    }

    /** Each pair would have the same companion keys if a key were only put into braces. */
    @ParameterizedTest
    @CsvSource({"x}y, {x}y}", "x}, {x}}", "a}b{c, {a}b{c}", "x, {x}"})
    default void keysThatDifferInBracesHaveSeparateQueues(String one, String other) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String fresh = freshKey();
            String waitedFor = one.replaceFirst("[ax]", fresh);
            String free = other.replaceFirst("[ax]", fresh);
            Lease held = lock(first, waitedFor, STRICT).acquire();
            CompletableFuture<Lease> waiter = lock(second, waitedFor, STRICT).acquireAsync();
            Waiters.await(first, waitedFor, 1);
            Lease beside = lock(first, free, STRICT).tryAcquire().orElseThrow();
            assertThat(first.inspect().lock(free).waiterCount()).isZero();
            assertThat(beside.release()).isTrue();
            assertThat(waiter).isNotDone();
            assertThat(held.isHeldOnServer()).isTrue();
            assertThat(held.release()).isTrue();
            assertThat(waiter.get().isHeldOnServer()).isTrue();
        }
    }
}
