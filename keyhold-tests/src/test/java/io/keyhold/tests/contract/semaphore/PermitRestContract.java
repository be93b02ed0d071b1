package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedReadWriteLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.inspect.LockHolder;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link Lease#releaseAfter} of permits: as many stay taken as were held, and return once. */
public interface PermitRestContract extends StoreUnderTest {

    /** A rest that does not end during a test. */
    Duration LONG_REST = Duration.ofHours(1);

    @Test
    default void restingPermitsStayTaken() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore = keyhold.semaphore(key, 3);
            Lease lease = semaphore.acquire(2);
            assertThat(lease.releaseAfter(LONG_REST)).isTrue();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            PermitCount.assertFree(semaphore, 1);
            assertThat(lease.isHeldOnServer()).isFalse();
            assertThat(semaphore.isHeld(lease.token())).isFalse();
            assertThat(semaphore.release(lease.token())).isFalse();
            LockHolder shown = keyhold.inspect().lock(key).holder().orElseThrow();
            assertThat(shown.isResting()).isTrue();
            assertThat(shown.permits()).isEqualTo(2);
            assertThat(shown.fencingToken()).hasValue(lease.fencingToken());
            assertThat(shown.remaining().orElseThrow()).isBetween(LONG_REST.dividedBy(2), LONG_REST);
            assertThat(semaphore.availablePermits()).isEqualTo(1);
        }
    }

    @Test
    default void restingPermitsReturnOnce() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore =
                    first.semaphore(key, 2).with(options -> options.lease(Duration.ofHours(1)));
            Lease resting = semaphore.acquire();
            Lease kept = semaphore.acquire();
            CompletableFuture<Lease> waiter = second.semaphore(key, 2).acquireAsync();
            assertThat(resting.releaseAfter(Duration.ofMillis(50))).isTrue();
            Lease next = waiter.get();
            assertThat(next.fencingToken()).isGreaterThan(kept.fencingToken());
            PermitCount.assertFree(semaphore, 0);
            assertThat(next.release()).isTrue();
            assertThat(kept.release()).isTrue();
            PermitCount.assertFree(semaphore, 2);
        }
    }

    /**
     * The second waiter becomes the head of the queue when the first rest ends. Without the message that tells it to ask, it sleeps for
     * 10 s in each round.
     */
    @Test
    default void eachHeadOfQueueLearnsOfNextRest() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
            for (int round = 0; round < 6; round++) {
                String key = freshKey();
                DistributedSemaphore semaphore =
                        first.semaphore(key, 2).with(options -> options.lease(Duration.ofHours(1)));
                Lease one = semaphore.acquire();
                Lease two = semaphore.acquire();
                CompletableFuture<Lease> head = second.semaphore(key, 2).acquireAsync();
                Waiters.await(first, key, 1);
                CompletableFuture<Lease> next = second.semaphore(key, 2).acquireAsync();
                Waiters.await(first, key, 2);
                assertThat(one.releaseAfter(Duration.ofMillis(50))).isTrue();
                assertThat(two.releaseAfter(Duration.ofMillis(300))).isTrue();
                Lease held = head.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                Lease last = next.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                assertThat(held.release() && last.release()).isTrue();
            }
        }
    }

    @Test
    default void restingReaderExcludesWritersOnly() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedReadWriteLock seen = second.readWriteLock(key);
            Lease reader = first.readWriteLock(key).readLock().acquire();
            assertThat(reader.releaseAfter(LONG_REST)).isTrue();
            assertThat(seen.writeLock().tryAcquire()).isEmpty();
            assertThat(seen.readLock().tryAcquire().orElseThrow().releaseAfter(Duration.ZERO))
                    .isTrue();
            assertThat(second.inspect().forceRelease(key)).isTrue();
            Lease writer = first.readWriteLock(key).writeLock().acquire();
            CompletableFuture<Lease> next = seen.readLock().acquireAsync();
            assertThat(writer.releaseAfter(Duration.ofMillis(50))).isTrue();
            assertThat(next.get().release()).isTrue();
        }
    }
}
