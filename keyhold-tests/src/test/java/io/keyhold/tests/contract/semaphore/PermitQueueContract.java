package io.keyhold.tests.contract.semaphore;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.tests.contract.lock.Contention;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** First come, first served, whatever the number of permits. No lease ends during these tests unless a test says so. */
public interface PermitQueueContract extends StoreUnderTest {

    @Test
    default void waitersAreServedInOrder() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.semaphore(key, 1).acquire();
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                waiters.add((i % 2 == 0 ? second : first).semaphore(key, 1).acquireAsync());
                Waiters.await(first, key, i + 1);
            }
            Waiters.assertServedInOrder(held, waiters).release();
            PermitCount.assertFree(first.semaphore(key, 1), 1);
        }
    }

    @Test
    default void waitersThatFitAreServedTogether() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease all = first.semaphore(key, 4).acquire(4);
            CompletableFuture<Lease> one = second.semaphore(key, 4).acquireAsync(1);
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> two = second.semaphore(key, 4).acquireAsync(2);
            Waiters.await(first, key, 2);
            CompletableFuture<Lease> three = second.semaphore(key, 4).acquireAsync(3);
            Waiters.await(first, key, 3);
            all.release();
            assertThat(two.get().fencingToken()).isGreaterThan(one.get().fencingToken());
            assertThat(Waiters.await(first, key, 1).availablePermits()).isEqualTo(1);
            assertThat(three).isNotDone();
            one.get().release();
            assertThat(three).isNotDone();
            two.get().release();
            assertThat(three.get().isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void largeRequestIsNotOvertaken() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedSemaphore small = first.semaphore(key, 4);
            Lease one = small.acquire();
            Lease three = small.acquire(3);
            CompletableFuture<Lease> large = second.semaphore(key, 4).acquireAsync(4);
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> late = small.acquireAsync();
            Waiters.await(first, key, 2);
            three.release();
            assertThat(small.availablePermits()).isEqualTo(3);
            assertThat(small.tryAcquire()).as("while a waiter is queued").isEmpty();
            assertThat(small.tryAcquire(Duration.ofMillis(30))).isEmpty();
            assertThat(late).isNotDone();
            one.release();
            assertThat(large.get().isHeldOnServer()).isTrue();
            assertThat(late).isNotDone();
            large.get().release();
            assertThat(late.get().isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void largeRequestDoesNotStarve() throws Exception {
        String key = freshKey();
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            DistributedSemaphore semaphore = second.semaphore(key, 4);
            Contention.during(8, () -> first.semaphore(key, 4).acquire().release(), () -> {
                for (int i = 0; i < 10; i++) {
                    Lease large = semaphore.acquireAsync(4).get(60, TimeUnit.SECONDS);
                    assertThat(semaphore.availablePermits()).isZero();
                    large.release();
                }
                return semaphore;
            });
            PermitCount.assertFree(first.semaphore(key, 4), 4);
        }
    }

    @Test
    default void expiryServesQueueInOrder() throws Exception {
        undisturbed(() -> {
            try (Keyhold first = client().build();
                    Keyhold second = client().build()) {
                String key = freshKey();
                Lease held = first.semaphore(key, 3)
                        .with(options -> options.lease(Duration.ofSeconds(2)))
                        .acquire(3);
                CompletableFuture<Lease> two = second.semaphore(key, 3).acquireAsync(2);
                Waiters.await(first, key, 1, held::isHeld);
                CompletableFuture<Lease> one = first.semaphore(key, 3).acquireAsync();
                Waiters.await(first, key, 2, held::isHeld);
                assertThat(one.get().fencingToken()).isGreaterThan(two.get().fencingToken());
            }
        });
    }
}
