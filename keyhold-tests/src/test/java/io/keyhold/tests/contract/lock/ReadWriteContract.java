package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many readers or one writer. */
public interface ReadWriteContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void readersShareAndExcludeWriter(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build();
                Keyhold third = client().build()) {
            String key = freshKey();
            Lease one = style.acquire(first.readWriteLock(key).readLock());
            Lease two = style.acquire(second.readWriteLock(key).readLock());
            assertThat(one.isHeldOnServer() && two.isHeldOnServer()).isTrue();
            assertThat(one.token()).isNotEqualTo(two.token());
            assertThat(style.tryAcquire(third.readWriteLock(key).writeLock())).isEmpty();
            style.release(one);
            assertThat(style.tryAcquire(third.readWriteLock(key).writeLock(), Duration.ofMillis(30)))
                    .isEmpty();
            style.release(two);
            assertThat(style.tryAcquire(third.readWriteLock(key).writeLock())).isPresent();
        }
    }

    @Test
    default void listenerIsToldOfBothSidesOfADowngrade() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            DistributedReadWriteLock lock = keyhold.readWriteLock(freshKey());
            lock.downgrade(lock.writeLock().acquire()).release();
            log.awaitEnd(2);
            assertThat(log.holds()).containsExactly("1 granted", "2 granted", "1 ended: RELEASED", "2 ended: RELEASED");
            assertThat(log.grant(1).request().kind()).isEqualTo(KeyholdListener.Request.Kind.WRITE);
            assertThat(log.grant(1).request().permits()).isEqualTo(1);
            assertThat(log.grant(2).request().kind()).isEqualTo(KeyholdListener.Request.Kind.READ);
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void writerExcludesAll(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease writer = style.acquire(first.readWriteLock(key).writeLock());
            assertThat(style.tryAcquire(second.readWriteLock(key).readLock())).isEmpty();
            assertThat(style.tryAcquire(second.readWriteLock(key).writeLock())).isEmpty();
            assertThat(style.tryAcquire(second.readWriteLock(key).readLock(), Duration.ofMillis(30)))
                    .isEmpty();
            style.release(writer);
            assertThat(style.tryAcquire(second.readWriteLock(key).readLock())).isPresent();
        }
    }

    @Test
    default void isLockedIsPerSide() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedReadWriteLock seen = second.readWriteLock(key);
            assertThat(seen.readLock().isLocked()).isFalse();
            assertThat(seen.writeLock().isLocked()).isFalse();
            Lease reader = first.readWriteLock(key).readLock().acquire();
            assertThat(seen.readLock().isLocked()).isTrue();
            assertThat(seen.writeLock().isLocked()).isFalse();
            reader.release();
            Lease writer = first.readWriteLock(key).writeLock().acquire();
            assertThat(seen.readLock().isLocked()).isFalse();
            assertThat(seen.writeLock().isLocked()).isTrue();
            writer.release();
            assertThat(seen.writeLock().isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void sidesShareFencingTokens(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            long last = 0;
            for (int i = 0; i < 12; i++) {
                DistributedReadWriteLock lock = (i % 3 == 0 ? second : first).readWriteLock(key);
                Lease lease = style.acquire(i % 2 == 0 ? lock.readLock() : lock.writeLock());
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
                style.release(lease);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void writerIsGrantedWhenReadersExpire(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedReadWriteLock brief = first.readWriteLock(
                    key, LockOptions.builder().lease(Duration.ofMillis(80)).build());
            style.acquire(brief.readLock()).detach();
            style.acquire(brief.readLock()).detach();
            assertThat(style.acquire(second.readWriteLock(key).writeLock()).isHeldOnServer())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void renewedReaderExcludesWriter(ApiStyle style) throws InterruptedException {
        undisturbed(() -> {
            try (Keyhold first = client().build();
                    Keyhold second = client().build()) {
                String key = freshKey();
                DistributedReadWriteLock lock = first.readWriteLock(
                        key,
                        LockOptions.builder().lease(Renewed.LEASE).renew(true).build());
                Lease reader = style.acquire(lock.readLock());
                Renewed.await(second, key);
                assertThat(style.tryAcquire(second.readWriteLock(key).writeLock()))
                        .isEmpty();
                assertThat(reader.isHeld() && reader.isHeldOnServer()).isTrue();
            }
        });
    }

    @Test
    default void lossOfReadLockIsReported() throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build();
                    Keyhold operator = client().build()) {
                String key = freshKey();
                DistributedReadWriteLock lock = keyhold.readWriteLock(
                        key,
                        LockOptions.builder().lease(Renewed.LEASE).renew(true).build());
                Lease reader = lock.readLock().acquire();
                assertThat(operator.inspect().forceRelease(key)).isTrue();
                LeaseLost loss = reader.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.GONE);
                assertThat(reader.release()).isFalse();
                assertThat(operator.readWriteLock(key).writeLock().tryAcquire()).isPresent();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void timeoutNamesSideAndHolder(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().clientName("first").build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.readWriteLock(key).writeLock().acquire();
            DistributedReadWriteLock hasty = second.readWriteLock(
                    key, LockOptions.builder().maxWait(Duration.ofMillis(40)).build());
            assertThatThrownBy(() -> style.acquire(hasty.readLock()))
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContainingAll("read lock", key, "held by first@");
            assertThatThrownBy(() -> style.acquire(hasty.writeLock()))
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContainingAll("write lock", key, "held by first@");
        }
    }

    @Test
    default void readHoldIsHandedOffAdoptedAndReleased() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.readWriteLock(key).readLock().acquire();
            String token = lease.handOff();
            Lease adopted = second.readWriteLock(key).readLock().adopt(token);
            assertThat(adopted.fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(first.readWriteLock(key).readLock().release(token)).isTrue();
            assertThat(adopted.isHeldOnServer()).isFalse();
            assertThat(second.readWriteLock(key).readLock().release(token)).isFalse();
        }
    }

    @Test
    default void writerNeverOverlaps() throws Exception {
        String key = freshKey();
        AtomicInteger reading = new AtomicInteger();
        AtomicInteger writing = new AtomicInteger();
        ExecutorService executor = TestThreads.executor();
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                DistributedReadWriteLock lock = (i % 2 == 0 ? first : second).readWriteLock(key);
                Random random = new Random(i);
                work.add(executor.submit(() -> {
                    for (int entry = 0; entry < 30; entry++) {
                        if (random.nextInt(3) == 0) {
                            lock.writeLock().run(() -> {
                                assertThat(writing.incrementAndGet()).isEqualTo(1);
                                assertThat(reading).hasValue(0);
                                writing.decrementAndGet();
                            });
                        } else {
                            lock.readLock().run(() -> {
                                reading.incrementAndGet();
                                assertThat(writing).hasValue(0);
                                reading.decrementAndGet();
                            });
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            assertThat(first.readWriteLock(key).writeLock().tryAcquire()).isPresent();
        } finally {
            executor.shutdownNow();
        }
    }
}
