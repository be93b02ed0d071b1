package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A semaphore as operators see it, and what they can do. */
public interface PermitInspectContract extends StoreUnderTest {

    @Test
    default void holdersAreShownByExpiry() throws InterruptedException {
        try (Keyhold holder = client().clientName("gpu-worker").build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            Lease two = holder.semaphore(key, 5)
                    .with(options -> options.lease(Duration.ofMinutes(5)))
                    .acquire(2);
            Lease one = holder.semaphore(key, 5).acquire();
            LockSnapshot shown = operator.inspect().lock(key);
            assertThat(shown.kind()).isEqualTo(LockKind.SEMAPHORE);
            assertThat(shown.key()).isEqualTo(key);
            assertThat(shown.permits()).isEqualTo(5);
            assertThat(shown.availablePermits()).isEqualTo(2);
            assertThat(shown.holderCount()).isEqualTo(2);
            assertThat(shown.isHeld()).isTrue();
            assertThat(shown.holders()).extracting(LockHolder::token).containsExactly(one.token(), two.token());
            assertThat(shown.holders()).extracting(LockHolder::permits).containsExactly(1, 2);
            assertThat(shown.holders())
                    .allSatisfy(holding -> assertThat(holding.mode()).isEqualTo(LockMode.SHARED))
                    .allSatisfy(holding -> assertThat(holding.clientName()).contains("gpu-worker"))
                    .allSatisfy(holding -> assertThat(holding.foreign()).isFalse())
                    .allSatisfy(holding -> assertThat(holding.heldSince()).isPresent());
            assertThat(shown.holders().get(0).fencingToken()).hasValue(one.fencingToken());
            assertThat(shown.holders().get(1).remaining())
                    .hasValueSatisfying(left -> assertThat(left).isGreaterThan(Duration.ofMinutes(4)));
        }
    }

    @Test
    default void waitersAreShownWithPermits() throws Exception {
        try (Keyhold holder = client().build();
                Keyhold waiter = client().clientName("late").build()) {
            String key = freshKey();
            holder.semaphore(key, 2).acquire();
            CompletableFuture<Lease> two = waiter.semaphore(key, 2).acquireAsync(2);
            LockSnapshot shown = Waiters.await(holder, key, 1);
            LockWaiter first = shown.queue().get(0);
            assertThat(first.permits()).isEqualTo(2);
            assertThat(first.mode()).isEqualTo(LockMode.SHARED);
            assertThat(first.clientName()).contains("late");
            assertThat(two).isNotDone();
        }
    }

    @Test
    default void unheldSemaphoreIsShown() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            keyhold.semaphore(key, 4).acquire(3).release();
            LockSnapshot shown = keyhold.inspect().lock(key);
            assertThat(shown.kind()).isEqualTo(LockKind.SEMAPHORE);
            assertThat(shown.permits()).isEqualTo(4);
            assertThat(shown.availablePermits()).isEqualTo(4);
            assertThat(shown.isHeld()).isFalse();
        }
    }

    @Test
    default void endedHoldIsNotShown() throws Exception {
        try (Keyhold keyhold = warm(client())) {
            String key = freshKey();
            Lease lease = keyhold.semaphore(key, 4)
                    .with(options -> options.lease(Duration.ofMillis(100)))
                    .acquire(3);
            Lease kept = keyhold.semaphore(key, 4).acquire();
            lease.lost().toCompletableFuture().get();
            while (lease.isHeldOnServer()) {
                Thread.onSpinWait(); // The lease ends a few milliseconds earlier for the client than for the server.
            }
            LockSnapshot shown = keyhold.inspect().lock(key);
            assertThat(shown.holders()).extracting(LockHolder::token).containsExactly(kept.token());
            assertThat(shown.availablePermits()).isEqualTo(3);
        }
    }

    @Test
    default void heldSemaphoresAreListedAmongLocks() throws InterruptedException {
        try (Keyhold keyhold = client().keyPrefix(freshKey()).build()) {
            keyhold.lock("a").acquire();
            keyhold.semaphore("b", 3).acquire(2);
            keyhold.semaphore("c", 3).acquire().release();
            assertThat(keyhold.inspect().list("*"))
                    .extracting(LockSnapshot::key)
                    .containsExactly("a", "b");
            assertThat(keyhold.inspect().list("b"))
                    .extracting(LockSnapshot::availablePermits)
                    .containsExactly(1);
        }
    }

    @Test
    default void forceReleaseByTokenReturnsOnlyItsPermits() throws InterruptedException {
        try (Keyhold holder = client().build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            Lease seen = holder.semaphore(key, 3).acquire(2);
            Lease kept = holder.semaphore(key, 3).acquire();
            assertThat(operator.inspect().forceRelease(key, seen.token())).isTrue();
            assertThat(operator.inspect().forceRelease(key, seen.token())).isFalse();
            assertThat(seen.isHeldOnServer()).isFalse();
            assertThat(kept.isHeldOnServer()).isTrue();
            assertThat(operator.semaphore(key, 3).availablePermits()).isEqualTo(2);
            String readWrite = freshKey();
            Lease reader = holder.readWriteLock(readWrite).readLock().acquire();
            Lease another =
                    holder.readWriteLock(readWrite).readLock().acquireAsync().join();
            assertThat(operator.inspect().forceRelease(readWrite, reader.token()))
                    .isTrue();
            assertThat(reader.isHeldOnServer()).isFalse();
            assertThat(another.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void forceReleaseReturnsAllPermitsAndServesQueue() throws Exception {
        try (Keyhold holder = client().build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            assertThat(operator.inspect().forceRelease(key)).isFalse();
            Lease two = holder.semaphore(key, 3).acquire(2);
            Lease one = holder.semaphore(key, 3).acquire();
            CompletableFuture<Lease> waiter = holder.semaphore(key, 3).acquireAsync(3);
            Waiters.await(operator, key, 1);
            assertThat(operator.inspect().forceRelease(key)).isTrue();
            Lease next = waiter.get();
            assertThat(next.fencingToken()).isGreaterThan(one.fencingToken());
            assertThat(one.isHeldOnServer()).isFalse();
            assertThat(two.release()).isFalse();
            assertThat(next.isHeldOnServer()).isTrue();
            assertThat(next.release()).isTrue();
            PermitCount.assertFree(holder.semaphore(key, 3), 3);
            assertThat(operator.inspect().forceRelease(key))
                    .as("after all releases")
                    .isFalse();
        }
    }
}
