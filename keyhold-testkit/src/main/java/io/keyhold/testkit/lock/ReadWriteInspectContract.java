package io.keyhold.testkit.lock;

import static io.keyhold.testkit.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What others see of a read/write lock: operators, and clients that take its key for a semaphore's. */
public interface ReadWriteInspectContract extends StoreUnderTest {

    @Test
    default void readersAndWritersAreToldApart() throws Exception {
        try (Keyhold first = client().clientName("first").build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease one = first.readWriteLock(key).readLock().acquire();
            Lease two = second.readWriteLock(key).readLock().acquire();
            CompletableFuture<Lease> writer =
                    second.readWriteLock(key).writeLock().acquireAsync();
            LockSnapshot shown = Line.await(first, key, 1);
            assertThat(shown.kind()).isEqualTo(LockKind.READ_WRITE);
            assertThat(shown.permits()).isEqualTo(1);
            assertThat(shown.availablePermits()).isZero();
            assertThat(shown.holding()).isEqualTo(2);
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
    default void aSemaphoreIsRefusedWhereAReadWriteLockIs() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease reader = first.readWriteLock(key).readLock().acquire();
            assertThatThrownBy(() -> second.semaphore(key, 3).tryAcquire())
                    .isInstanceOf(SemaphoreLimitException.class)
                    .hasMessageContainingAll(key, "read/write lock");
            assertThatThrownBy(() -> second.semaphore(key, 3).resize(5))
                    .isInstanceOf(SemaphoreLimitException.class)
                    .hasMessageContainingAll(key, "read/write lock");
            assertThat(reader.isOwned()).isTrue();
            assertThat(second.readWriteLock(key).readLock().tryAcquire()).isPresent();
        }
    }

    @Test
    default void aReadWriteLockIsRefusedWhereASemaphoreIs() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease permit = first.semaphore(key, 3).acquire();
            assertThatThrownBy(() -> second.readWriteLock(key).readLock().tryAcquire())
                    .isInstanceOf(SemaphoreLimitException.class)
                    .hasMessageContainingAll(key, "semaphore of 3 permits");
            assertThatThrownBy(() -> second.readWriteLock(key).writeLock().acquire())
                    .isInstanceOf(SemaphoreLimitException.class);
            assertThat(permit.release()).isTrue();
        }
    }
}
