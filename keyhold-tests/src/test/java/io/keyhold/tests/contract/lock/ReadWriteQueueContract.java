package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers and writers share one queue. */
public interface ReadWriteQueueContract extends StoreUnderTest {

    /** One of the two sides. */
    enum Side {
        /** Shared. */
        READ,
        /** Exclusive. */
        WRITE;

        DistributedLock of(DistributedReadWriteLock lock) {
            return this == READ ? lock.readLock() : lock.writeLock();
        }

        Side other() {
            return this == READ ? WRITE : READ;
        }
    }

    @Test
    default void readerWaitsBehindWaitingWriter() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease reader = first.readWriteLock(key).readLock().acquire();
            CompletableFuture<Lease> writer =
                    second.readWriteLock(key).writeLock().acquireAsync();
            Waiters.await(first, key, 1);
            assertThat(second.readWriteLock(key).readLock().tryAcquire()).isEmpty();
            CompletableFuture<Lease> late = second.readWriteLock(key).readLock().acquireAsync();
            Waiters.await(first, key, 2);
            reader.release();
            assertThat(writer.get().isHeldOnServer()).isTrue();
            assertThat(late).isNotDone();
            writer.get().release();
            assertThat(late.get().fencingToken()).isGreaterThan(writer.get().fencingToken());
        }
    }

    @Test
    default void adjacentReadersAreGrantedTogether() throws Exception {
        try (Keyhold holder = client().build();
                Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease writer = holder.readWriteLock(key).writeLock().acquire();
            CompletableFuture<Lease> one = second.readWriteLock(key).readLock().acquireAsync();
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> two = first.readWriteLock(key).readLock().acquireAsync();
            Waiters.await(first, key, 2);
            CompletableFuture<Lease> next =
                    second.readWriteLock(key).writeLock().acquireAsync();
            Waiters.await(first, key, 3);
            CompletableFuture<Lease> three =
                    second.readWriteLock(key).readLock().acquireAsync();
            Waiters.await(first, key, 4);
            writer.release();
            assertThat(one.get().isHeldOnServer() && two.get().isHeldOnServer()).isTrue();
            assertThat(next.isDone() || three.isDone()).isFalse();
            one.get().release();
            assertThat(next).isNotDone();
            two.get().release();
            assertThat(next.get().isHeldOnServer()).isTrue();
            assertThat(three).isNotDone();
            next.get().release();
            assertThat(three.get().isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void readersProceedWhenWriterGivesUp() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease reader = first.readWriteLock(key).readLock().acquire();
            CompletableFuture<Lease> writer =
                    second.readWriteLock(key).writeLock().acquireAsync();
            Waiters.await(first, key, 1);
            CompletableFuture<Lease> late = second.readWriteLock(key).readLock().acquireAsync();
            Waiters.await(first, key, 2);
            writer.cancel(true);
            assertThat(late.get().isHeldOnServer()).isTrue();
            assertThat(reader.isHeldOnServer()).isTrue();
            assertThat(second.readWriteLock(key).writeLock().tryAcquire(Duration.ofMillis(20)))
                    .isEmpty();
            assertThat(second.readWriteLock(key).readLock().tryAcquire()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    default void neitherSideStarves(Side side) throws Exception {
        String key = freshKey();
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            DistributedReadWriteLock lock = second.readWriteLock(key);
            Contention.during(
                    6, () -> side.other().of(first.readWriteLock(key)).acquire().release(), () -> {
                        for (int i = 0; i < 10; i++) {
                            Lease lease = side.of(lock).acquireAsync().get(60, TimeUnit.SECONDS);
                            assertThat(side.other().of(lock).isLocked()).isFalse();
                            lease.release();
                        }
                        return lock;
                    });
        }
    }
}
