package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.SemaphoreOptions;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A read/write lock as operators see it, and clients that use its key as another kind. */
public interface ReadWriteInspectContract extends StoreUnderTest {

    @Test
    default void snapshotDistinguishesReadersAndWriters() throws Exception {
        try (Keyhold first = client().clientName("first").build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease one = first.readWriteLock(key).readLock().acquire();
            Lease two = second.readWriteLock(key).readLock().acquire();
            CompletableFuture<Lease> writer =
                    second.readWriteLock(key).writeLock().acquireAsync();
            LockSnapshot shown = Waiters.await(first, key, 1);
            assertThat(shown.kind()).isEqualTo(LockKind.READ_WRITE);
            assertThat(shown.permits()).isEqualTo(1);
            assertThat(shown.availablePermits()).isZero();
            assertThat(shown.holderCount()).isEqualTo(2);
            assertThat(shown.holders())
                    .extracting(LockHolder::token)
                    .containsExactlyInAnyOrder(one.token(), two.token());
            assertThat(shown.holders())
                    .allSatisfy(holder -> assertThat(holder.mode()).isEqualTo(LockMode.SHARED))
                    .allSatisfy(holder -> assertThat(holder.permits()).isEqualTo(1));
            assertThat(shown.queue().get(0).mode()).isEqualTo(LockMode.EXCLUSIVE);
            assertThat(shown.queue().get(0).permits()).isEqualTo(1);
            one.release();
            two.release();
            writer.get();
            LockHolder alone = first.inspect().lock(key).holder().orElseThrow();
            assertThat(alone.mode()).isEqualTo(LockMode.EXCLUSIVE);
            assertThat(alone.permits()).isEqualTo(1);
            assertThat(alone.fencingToken()).hasValue(writer.get().fencingToken());
            assertThat(first.inspect().list(key)).extracting(LockSnapshot::kind).containsExactly(LockKind.READ_WRITE);
        }
    }

    @Test
    default void semaphoreIsRefusedOnReadWriteLock() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease reader = first.readWriteLock(key).readLock().acquire();
            assertThatThrownBy(() -> second.semaphore(key, 3).tryAcquire())
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).contains(LockKind.READ_WRITE))
                    .hasMessageContaining("semaphore '" + key + "': the key is in use as a read/write lock");
            assertThatThrownBy(() -> second.semaphore(key, 3).resize(5))
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).contains(LockKind.READ_WRITE))
                    .hasMessageContaining("semaphore '" + key + "': the key is in use as a read/write lock");
            assertThatThrownBy(() -> second.lock(key).tryAcquire())
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).contains(LockKind.READ_WRITE))
                    .hasMessageContaining("cannot acquire lock '" + key + "': the key is in use as a read/write lock");
            assertThat(reader.isHeldOnServer()).isTrue();
            assertThat(second.readWriteLock(key).readLock().tryAcquire()).isPresent();
        }
    }

    /** Inside, a read/write lock is a semaphore with 2^30 permits: no exception and no view of a user may show that number. */
    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void internalPermitCountIsNotShown(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease reader = first.readWriteLock(key).readLock().acquire();
            DistributedSemaphore joining = second.semaphore(
                    key, SemaphoreOptions.builder().permits(3).joinExisting().build());
            for (DistributedSemaphore semaphore : List.of(second.semaphore(key, 3), joining)) {
                assertShowsNoPermits(() -> style.acquire(semaphore));
                assertShowsNoPermits(() -> style.tryAcquire(semaphore));
                assertShowsNoPermits(() -> semaphore.adopt("of-another-client"));
                assertShowsNoPermits(() -> semaphore.resize(5));
                assertThat(semaphore.availablePermits()).isZero();
            }
            assertShowsNoPermits(() -> joining.acquire(1 << 30));
            assertThat(reader.release()).isTrue();
            Lease permit = first.semaphore(key, 3).acquire();
            assertShowsNoPermits(() -> style.acquire(second.readWriteLock(key).readLock()));
            assertShowsNoPermits(() -> style.acquire(second.readWriteLock(key).writeLock()));
            assertShowsNoPermits(() -> second.readWriteLock(key).writeLock().adopt("of-another-client"));
            assertThat(permit.release()).isTrue();
        }
    }

    private static void assertShowsNoPermits(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(KeyholdException.class)
                .message()
                .doesNotContain("permits", String.valueOf(1 << 30));
    }

    @Test
    default void readWriteLockIsRefusedOnSemaphore() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease permit = first.semaphore(key, 3).acquire();
            assertThatThrownBy(() -> second.readWriteLock(key).readLock().tryAcquire())
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).contains(LockKind.SEMAPHORE))
                    .hasMessageContaining("cannot acquire read lock '" + key + "': the key is in use as a semaphore");
            assertThatThrownBy(() -> second.readWriteLock(key).writeLock().acquire())
                    .isInstanceOf(WrongKindException.class)
                    .hasMessageContaining("cannot acquire write lock '" + key + "'");
            assertThat(permit.release()).isTrue();
        }
    }

    @Test
    default void readWriteLockIsRefusedOnLock() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.lock(key).acquire();
            assertThatThrownBy(() -> second.readWriteLock(key).readLock().tryAcquire())
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).contains(LockKind.LOCK))
                    .hasMessageContaining("cannot acquire read lock '" + key + "': the key is in use as a lock");
            assertThatThrownBy(() -> second.readWriteLock(key).writeLock().acquire())
                    .isInstanceOf(WrongKindException.class)
                    .hasMessageContaining("cannot acquire write lock '" + key + "'");
            assertThat(lease.release()).isTrue();
        }
    }
}
