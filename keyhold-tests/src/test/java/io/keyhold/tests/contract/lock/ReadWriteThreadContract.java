package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AlreadyHeldException;
import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One thread on both sides: it may downgrade from write to read, but not upgrade. */
@SuppressWarnings("LockNotBeforeTry") // The order of lock and unlock is what is tested.
public interface ReadWriteThreadContract extends StoreUnderTest {

    @Test
    default void writerMayReadAndThenReleaseWrite() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease write = first.readWriteLock(key).writeLock().acquire();
            CompletableFuture<Lease> writer =
                    second.readWriteLock(key).writeLock().acquireAsync();
            Waiters.await(first, key, 1);
            Lease read = first.readWriteLock(key).readLock().acquire();
            assertThat(read.fencingToken()).isGreaterThan(write.fencingToken());
            assertThat(second.readWriteLock(key).readLock().tryAcquire())
                    .as("while the write lock is held")
                    .isEmpty();
            assertThat(write.release()).isTrue();
            assertThat(read.isHeldOnServer()).isTrue();
            assertThat(Waiters.await(first, key, 1).isHeld()).isTrue();
            assertThat(writer).as("the other writer").isNotDone();
            assertThat(read.release()).isTrue();
            assertThat(writer.get().fencingToken()).isGreaterThan(read.fencingToken());
        }
    }

    @Test
    default void downgradeAdmitsReadersOnly() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedReadWriteLock lock = first.readWriteLock(key);
            Lease write = lock.writeLock().acquire();
            Lease read = lock.readLock().tryAcquire().orElseThrow();
            write.release();
            assertThat(second.readWriteLock(key).writeLock().tryAcquire()).isEmpty();
            assertThat(second.readWriteLock(key).readLock().tryAcquire()).isPresent();
            assertThat(lock.writeLock().isLocked()).isFalse();
            assertThat(read.release()).isTrue();
        }
    }

    @Test
    default void detachedLeaseCanBeDowngraded() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedReadWriteLock lock = first.readWriteLock(key);
            Lease write = lock.writeLock().acquireAsync().get();
            CompletableFuture<Lease> writer =
                    second.readWriteLock(key).writeLock().acquireAsync();
            Waiters.await(first, key, 1);
            Lease read =
                    CompletableFuture.supplyAsync(() -> lock.downgrade(write)).get();
            assertThat(write.isHeld()).isFalse();
            assertThat(write.isHeldOnServer()).isFalse();
            assertThat(read.isHeldOnServer()).isTrue();
            assertThat(read.fencingToken()).isGreaterThan(write.fencingToken());
            assertThat(lock.readLock().isLocked()).isTrue();
            assertThat(lock.writeLock().isLocked()).isFalse();
            assertThat(Waiters.await(first, key, 1).isHeld()).isTrue();
            assertThat(writer).as("the other writer").isNotDone();
            assertThat(read.release()).isTrue();
            assertThat(writer.get().isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void endedLeaseCannotBeDowngraded() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lease write = lock.writeLock().acquire();
            write.release();
            assertThatThrownBy(() -> lock.downgrade(write))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining(lock.key());
            assertThat(lock.readLock().isLocked()).isFalse();
            DistributedReadWriteLock other = keyhold.readWriteLock(freshKey());
            Lease otherWrite = other.writeLock().acquire();
            assertThatThrownBy(() -> lock.downgrade(otherWrite))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(lock.key(), other.key());
            assertThat(otherWrite.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void onlyOwnWriteLeaseCanBeDowngraded() throws InterruptedException {
        try (Keyhold keyhold = client().build();
                Keyhold second = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lease read = lock.readLock().acquire();
            Lease plain = keyhold.lock(freshKey()).acquire();
            Lease permit = keyhold.semaphore(freshKey(), 1).acquire();
            for (Lease wrong : List.of(read, plain, permit, decorated(read))) {
                assertThatThrownBy(() -> lock.downgrade(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("must be a lease of write lock", lock.key());
            }
            assertThat(read.release()).isTrue();
            Lease write = second.readWriteLock(lock.key()).writeLock().acquire();
            for (Lease wrong : List.of(write, decorated(write))) {
                assertThatThrownBy(() -> lock.downgrade(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("that this client acquired");
            }
            assertThat(write.isHeldOnServer()).isTrue();
        }
    }

    /** A wrapper, such as a library that adds logs or metrics would use. */
    private static Lease decorated(Lease lease) {
        return (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(),
                new Class<?>[] {Lease.class},
                (proxy, method, arguments) -> method.invoke(lease, arguments));
    }

    @Test
    default void threadThatAlsoReadsMayDowngrade() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lease write = lock.writeLock().acquire();
            Lease read = lock.readLock().acquire();
            Lease downgraded = lock.downgrade(write);
            assertThat(lock.writeLock().isLocked()).isFalse();
            assertThatThrownBy(() -> lock.readLock().acquire())
                    .as("the read lease of the thread is still known")
                    .isInstanceOf(AlreadyHeldException.class);
            assertThat(read.release()).isTrue();
            assertThat(downgraded.release()).isTrue();
        }
    }

    @Test
    default void lostWriteLockCannotBeDowngraded() throws InterruptedException {
        try (Keyhold keyhold = client().build();
                Keyhold operator = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lease write = lock.writeLock().acquire();
            operator.inspect().forceRelease(lock.key());
            Lease thief = operator.readWriteLock(lock.key()).writeLock().acquire();
            assertThatThrownBy(() -> lock.downgrade(write)).isInstanceOf(LeaseLostException.class);
            assertThat(thief.isHeldOnServer()).isTrue();
            assertThat(lock.readLock().isLocked()).isFalse();
        }
    }

    /** Nothing is left of the other writer, so that only the release of the write lock finds the loss. */
    @Test
    default void lostWriteLockCannotBeDowngradedAfterAnotherWriter() throws InterruptedException {
        try (Keyhold keyhold = client().build();
                Keyhold operator = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lease write = lock.writeLock().acquire();
            operator.inspect().forceRelease(lock.key());
            operator.readWriteLock(lock.key()).writeLock().acquire().release();
            assertThatThrownBy(() -> lock.downgrade(write)).isInstanceOf(LeaseLostException.class);
            assertThat(lock.readLock().isLocked()).isFalse();
        }
    }

    @Test
    default void upgradeIsRefused() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lease read = lock.readLock().acquire();
            assertThatThrownBy(() -> lock.writeLock().acquire())
                    .isInstanceOf(AlreadyHeldException.class)
                    .hasMessageContainingAll(
                            lock.key(), Thread.currentThread().getName(), "read lock", "write lock", "release");
            assertThat(lock.writeLock().tryAcquire()).isEmpty();
            assertThatThrownBy(() -> lock.writeLock().tryAcquire(Duration.ofSeconds(1)))
                    .isInstanceOf(AlreadyHeldException.class);
            assertThatThrownBy(() -> lock.writeLock().asLock().lock()).isInstanceOf(AlreadyHeldException.class);
            assertThat(lock.writeLock().asLock().tryLock()).isFalse();
            assertThat(read.isHeldOnServer()).isTrue();
            read.release();
            assertThat(lock.writeLock().tryAcquire()).isPresent();
        }
    }

    @Test
    default void upgradeThroughAsLockIsRefused() {
        try (Keyhold keyhold = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lock read = lock.readLock().asLock();
            Lock write = lock.writeLock().asLock();
            read.lock();
            assertThatThrownBy(write::lock).isInstanceOf(AlreadyHeldException.class);
            assertThat(write.tryLock()).isFalse();
            read.unlock();
            write.lock();
            write.unlock();
            assertThat(lock.writeLock().isLocked()).isFalse();
        }
    }

    @Test
    default void secondReadOfThreadIsRefused() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lease read = lock.readLock().acquire();
            assertThatThrownBy(() -> lock.readLock().acquire())
                    .isInstanceOf(AlreadyHeldException.class)
                    .hasMessageContainingAll(lock.key(), "read lock");
            assertThat(lock.readLock().tryAcquire()).isEmpty();
            Optional<Lease> elsewhere = CompletableFuture.supplyAsync(
                            () -> lock.readLock().tryAcquire())
                    .join();
            assertThat(elsewhere).as("of another thread").isPresent();
            read.detach();
            assertThat(lock.readLock().tryAcquire()).isPresent();
        }
    }

    @Test
    default void bothSidesAreReentrantThroughAsLock() {
        try (Keyhold keyhold = client().build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            Lock read = lock.readLock().asLock();
            Lock write = lock.writeLock().asLock();
            write.lock();
            write.lock();
            read.lock();
            read.lock();
            write.unlock();
            assertThat(lock.writeLock().isLocked()).isTrue();
            write.unlock();
            assertThat(lock.writeLock().isLocked()).isFalse();
            read.unlock();
            assertThat(lock.readLock().isLocked()).isTrue();
            read.unlock();
            assertThat(lock.readLock().isLocked()).isFalse();
            assertThatThrownBy(read::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining(lock.key());
        }
    }

    /** Keys may contain any text, also the name of a side. */
    @ParameterizedTest
    @ValueSource(strings = {"read ", "write ", "READ ", "WRITE ", "read:", "write:"})
    default void lockIsNotSideOfReadWriteLock(String side) throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedReadWriteLock sides = keyhold.readWriteLock(key);
            DistributedLock lock = keyhold.lock(side + key);
            lock.asLock().lock();
            sides.writeLock().asLock().lock();
            assertThat(sides.writeLock().isLocked()).isTrue();
            lock.asLock().unlock();
            assertThat(lock.isLocked()).isFalse();
            assertThat(sides.writeLock().isLocked()).isTrue();
            lock.asLock().lock();
            assertThat(lock.isLocked()).isTrue();
            lock.asLock().unlock();
            sides.writeLock().asLock().unlock();
            lock.acquire();
            sides.readLock().asLock().lock();
            assertThat(sides.readLock().isLocked()).isTrue();
        }
    }
}
