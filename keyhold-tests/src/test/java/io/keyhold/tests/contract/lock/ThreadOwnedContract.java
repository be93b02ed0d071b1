package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AlreadyHeldException;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** {@link DistributedLock#asLock()}. */
@SuppressWarnings("LockNotBeforeTry") // The order of lock and unlock is what is tested.
public interface ThreadOwnedContract extends StoreUnderTest {

    @Test
    default void lockIsReentrant() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lock view = lock.asLock();
            view.lock();
            view.lock();
            assertThat(view.tryLock()).isTrue();
            view.unlock();
            view.unlock();
            assertThat(lock.isLocked()).isTrue();
            view.unlock();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    /** As {@link Lock} says, of a lock that the thread holds already, too. */
    @Test
    default void interruptedThreadDoesNotReenter() {
        try (Keyhold keyhold = client().build()) {
            Lock view = freshLock(keyhold).asLock();
            view.lock();
            Thread.currentThread().interrupt();
            assertThatThrownBy(view::lockInterruptibly).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> view.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            view.lock();
            assertThat(Thread.interrupted()).isTrue();
            view.unlock();
            view.unlock();
            assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
    }

    @Test
    default void viewsOfOneKeyShareOwner() {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            lock(keyhold, key).asLock().lock();
            lock(keyhold, key).asLock().lock();
            lock(keyhold, key).asLock().unlock();
            lock(keyhold, key).asLock().unlock();
            assertThat(lock(keyhold, key).isLocked()).isFalse();
        }
    }

    @Test
    default void onlyOwnerUnlocks() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lock view = lock.asLock();
            assertThatThrownBy(view::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining(key);
            view.lock();
            Throwable refusal = CompletableFuture.runAsync(view::unlock)
                    .handle((done, failure) -> failure)
                    .get();
            assertThat(refusal).hasRootCauseInstanceOf(IllegalMonitorStateException.class);
            assertThat(lock.isLocked()).isTrue();
        }
    }

    @Test
    default void otherThreadsAreExcluded() throws Exception {
        try (Keyhold keyhold = client().build()) {
            Lock view = freshLock(keyhold).asLock();
            view.lock();
            assertThat(CompletableFuture.supplyAsync(view::tryLock).get()).isFalse();
            assertThat(CompletableFuture.supplyAsync(() -> tryLock(view, 20)).get())
                    .isFalse();
            view.unlock();
            assertThat(CompletableFuture.supplyAsync(() -> tryLock(view, 20_000))
                            .get())
                    .isTrue();
        }
    }

    @Test
    default void tryLockAcceptsAnyTime() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            Lock over = freshLock(keyhold).asLock();
            assertThat(over.tryLock(-1, TimeUnit.SECONDS)).isTrue();
            Lock forEver = freshLock(keyhold).asLock();
            assertThat(forEver.tryLock(Long.MAX_VALUE, TimeUnit.NANOSECONDS)).isTrue();
        }
    }

    @Test
    default void threadThatHoldsLeaseIsRefused() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease lease = lock.acquire();
            assertThatThrownBy(lock.asLock()::lock).isInstanceOf(AlreadyHeldException.class);
            assertThat(lock.asLock().tryLock()).isFalse();
            assertThat(lock.asLock().tryLock(0, TimeUnit.SECONDS)).isFalse();
            lease.release();
        }
    }

    @Test
    default void afterLossUnlockIsSilentAndReentryFails() throws Exception {
        try (Keyhold keyhold = client().build()) {
            CompletableFuture<Object> lost = new CompletableFuture<>();
            String key = freshKey();
            DistributedLock lock = lock(
                    keyhold,
                    key,
                    LockOptions.builder()
                            .lease(Duration.ofMillis(40))
                            .onLost(lost::complete)
                            .build());
            Lock view = lock.asLock();
            view.lock();
            lost.get(20, TimeUnit.SECONDS);
            assertThatThrownBy(view::lock)
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining(key);
            view.unlock();
            view.lock();
            view.unlock();
        }
    }

    @Test
    default void lockKeepsInterruptAndLockInterruptiblyThrows() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lock held = lock(first, key).asLock();
            held.lock();
            Background<Boolean> patient = Background.start(() -> {
                lock(second, key).asLock().lock();
                return Thread.interrupted();
            });
            patient.awaitWaiting();
            patient.interrupt();
            Background<Boolean> interrupted = Background.start(() -> {
                lock(second, key).asLock().lockInterruptibly();
                return true;
            });
            interrupted.awaitWaiting();
            interrupted.interrupt();
            assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
            held.unlock();
            assertThat(patient.result()).isTrue();
        }
    }

    @Test
    default void conditionsAreRefused() {
        try (Keyhold keyhold = client().build()) {
            assertThatThrownBy(freshLock(keyhold).asLock()::newCondition)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("conditions");
        }
    }

    private static boolean tryLock(Lock lock, long millis) {
        try {
            return lock.tryLock(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
