package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import io.keyhold.tests.contract.lock.Waiters;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** {@link DistributedSemaphore#resize}. */
public interface ResizeContract extends StoreUnderTest {

    @Test
    default void resizeReturnsPreviousPermits() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 3);
            assertThat(semaphore.resize(5)).as("of an unused semaphore").isEqualTo(3);
            assertThat(semaphore.resize(4)).isEqualTo(5);
            assertThat(semaphore.availablePermits()).isEqualTo(4);
            PermitCount.assertFree(semaphore, 4);
        }
    }

    @Test
    default void morePermitsServeWaitersAtOnce() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 2).acquire(2);
            CompletableFuture<Lease> one = second.semaphore(key, 2).acquireAsync();
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> two = second.semaphore(key, 2).acquireAsync(2);
            Waiters.await(first, key, 2);
            first.semaphore(key, 2).resize(5);
            assertThat(two.get().fencingToken()).isGreaterThan(one.get().fencingToken());
            assertThat(first.semaphore(key, 2).availablePermits()).isZero();
        }
    }

    @Test
    default void fewerPermitsWaitForReturns() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore = first.semaphore(key, 4);
            Lease one = semaphore.acquire();
            Lease two = semaphore.acquire();
            Lease three = semaphore.acquire(2);
            assertThat(second.semaphore(key, 4).resize(2)).isEqualTo(4);
            assertThat(one.isHeldOnServer() && two.isHeldOnServer() && three.isHeldOnServer())
                    .isTrue();
            assertThat(semaphore.availablePermits()).isZero();
            one.release();
            assertThat(semaphore.tryAcquire()).as("three are held, of two").isEmpty();
            two.release();
            assertThat(semaphore.tryAcquire()).as("two are held, of two").isEmpty();
            CompletableFuture<Lease> waiter = second.semaphore(key, 4).acquireAsync();
            Waiters.await(first, key, 1);
            three.release();
            assertThat(waiter.get().isHeldOnServer()).isTrue();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
        }
    }

    @Test
    default void clientsWithOldOrNewLimitContinue() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease before = first.semaphore(key, 2).acquire();
            first.semaphore(key, 2).resize(3);
            assertThat(first.semaphore(key, 2).tryAcquire()).isPresent();
            assertThat(second.semaphore(key, 3).tryAcquire()).isPresent();
            assertThat(second.semaphore(key, 3).tryAcquire()).isEmpty();
            assertThat(before.release()).isTrue();
            assertThatThrownBy(() -> second.semaphore(key, 17).tryAcquire())
                    .isInstanceOf(SemaphoreLimitException.class)
                    .hasMessageContainingAll("3 permits", "17");
        }
    }

    @Test
    default void resizeFailsRequestsThatAreTooLarge() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.semaphore(key, 4).acquire();
            CompletableFuture<Lease> large = second.semaphore(key, 4).acquireAsync(4);
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> small = second.semaphore(key, 4).acquireAsync();
            Waiters.await(first, key, 2);
            first.semaphore(key, 4).resize(3);
            assertThatThrownBy(large::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            SemaphoreLimitException.class,
                            refusal -> assertThat(refusal.permits()).isEqualTo(3))
                    .hasMessageContainingAll(key, "3 permits", "4");
            assertThat(small.get().isHeldOnServer())
                    .as("it was queued behind the large one")
                    .isTrue();
            held.release();
            assertThatThrownBy(() -> second.semaphore(key, 4).acquire(4)).isInstanceOf(SemaphoreLimitException.class);
        }
    }

    @Test
    default void resizeFailsLargeRequestsWhileAllPermitsAreHeld() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 4).acquire(4);
            CompletableFuture<Lease> large = second.semaphore(key, 4).acquireAsync(4);
            Waiters.await(first, key, 1);
            first.semaphore(key, 4).resize(3);
            assertThatThrownBy(large::get).hasCauseInstanceOf(SemaphoreLimitException.class);
        }
    }
}
