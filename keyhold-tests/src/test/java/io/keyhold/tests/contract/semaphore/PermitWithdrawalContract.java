package io.keyhold.tests.contract.semaphore;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.tests.contract.lock.Background;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A request that gives up leaves the queue, and the permits reserved for it go to the waiters behind it. */
public interface PermitWithdrawalContract extends StoreUnderTest {

    @Test
    default void timeoutOfLargeRequestServesSmallOnes() throws Exception {
        undisturbed(() -> {
            try (Keyhold first = client().build();
                    Keyhold second = client().build()) {
                String key = freshKey();
                first.semaphore(key, 4).acquire(2);
                Background<Optional<Lease>> large =
                        Background.start(() -> second.semaphore(key, 4).tryAcquire(4, Duration.ofSeconds(1)));
                Waiters.await(first, key, 1, () -> !large.isDone());
                CompletableFuture<Lease> small = first.semaphore(key, 4).acquireAsync(2);
                assertThat(large.result()).isEmpty();
                assertThat(small.get().isHeldOnServer()).isTrue();
                assertThat(first.inspect().lock(key).waiterCount()).isZero();
            }
        });
    }

    @Test
    default void interruptOfLargeRequestServesSmallOnes() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 4).acquire(2);
            Background<Lease> large =
                    Background.start(() -> second.semaphore(key, 4).acquire(4));
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> small = first.semaphore(key, 4).acquireAsync(2);
            Waiters.await(first, key, 2);
            large.interrupt();
            assertThat(large.failure()).isInstanceOf(InterruptedException.class);
            assertThat(small.get().isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void cancelOfLargeRequestServesSmallOnes() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.semaphore(key, 4).acquire(2);
            CompletableFuture<Lease> large = second.semaphore(key, 4).acquireAsync(4);
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> one = first.semaphore(key, 4).acquireAsync();
            Waiters.await(first, key, 2);
            CompletableFuture<Lease> two = second.semaphore(key, 4).acquireAsync();
            Waiters.await(first, key, 3);
            large.cancel(true);
            assertThat(one.get().isHeldOnServer()).isTrue();
            assertThat(two.get().isHeldOnServer()).isTrue();
            assertThat(first.semaphore(key, 4).availablePermits()).isZero();
            held.release();
            one.get().release();
            two.get().release();
            PermitCount.assertFree(first.semaphore(key, 4), 4);
        }
    }

    @Test
    default void closeOfLargeRequestsClientServesSmallOnes() throws Exception {
        try (Keyhold first = client().build()) {
            String key = freshKey();
            first.semaphore(key, 4).acquire(2);
            CompletableFuture<Lease> small;
            try (Keyhold second = client().build()) {
                second.semaphore(key, 4).acquireAsync(4);
                Waiters.await(first, key, 1);
                small = first.semaphore(key, 4).acquireAsync(2);
                Waiters.await(first, key, 2);
            }
            assertThat(small.get().isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void withdrawalKeepsOrderOfOthers() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.semaphore(key, 2).acquire(2);
            CompletableFuture<Lease> ahead = second.semaphore(key, 2).acquireAsync(2);
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> middle = second.semaphore(key, 2).acquireAsync();
            Waiters.await(first, key, 2);
            CompletableFuture<Lease> behind = first.semaphore(key, 2).acquireAsync(2);
            Waiters.await(first, key, 3);
            middle.cancel(true);
            Waiters.await(first, key, 2);
            held.release();
            ahead.get().release();
            assertThat(behind.get().fencingToken()).isGreaterThan(ahead.get().fencingToken());
        }
    }
}
