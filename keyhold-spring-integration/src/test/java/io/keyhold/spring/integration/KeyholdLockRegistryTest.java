package io.keyhold.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/** What Spring Integration documents of lock registries. */
@SuppressWarnings("LockNotBeforeTry")
final class KeyholdLockRegistryTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final InMemorySpace space = InMemorySpace.create();
    private final Keyhold keyhold = Keyhold.builder().inMemory(space).build();
    private final Keyhold other = Keyhold.builder().inMemory(space).build();
    private final KeyholdLockRegistry registry = new KeyholdLockRegistry(keyhold, "app:");
    private final DistributedLock lock = registry.obtain("a");

    @AfterEach
    void close() {
        keyhold.close();
        other.close();
    }

    private boolean isLocked() {
        return other.lock("app:a").isLocked();
    }

    private static <T> T onOtherThread(Callable<T> work) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return work.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .get(1, TimeUnit.MINUTES);
    }

    @Test
    void excludesOtherThreadsAndRegistries() throws Exception {
        lock.lock();
        assertThat(isLocked()).isTrue();
        assertThat(onOtherThread(() -> registry.obtain("a").tryLock())).isFalse();
        assertThat(onOtherThread(
                        () -> new KeyholdLockRegistry(other, "app:").obtain("a").tryLock()))
                .isFalse();
        assertThat(onOtherThread(() -> registry.obtain("b").tryLock()))
                .as("another key")
                .isTrue();
        lock.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void isReentrantAcrossObjects() {
        lock.lock();
        DistributedLock same = registry.obtain("a");
        assertThat(same.tryLock()).isTrue();
        same.unlock();
        assertThat(isLocked()).isTrue();
        lock.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void unlockOfForeignLockIsRefused() throws Exception {
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("app:a");
        lock.lock();
        onOtherThread(() -> {
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
            return true;
        });
        lock.unlock();
    }

    @Test
    void unlockOfLostLockIsReported() throws InterruptedException {
        lock.lock(Duration.ofMillis(10));
        Lease next = other.lock("app:a").tryAcquire(LONG).orElseThrow();
        assertThatThrownBy(() -> lock.tryLock()).as("again").isInstanceOf(CannotAcquireLockException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(next.isHeldOnServer()).as("the next holder").isTrue();
        assertThatThrownBy(lock::unlock).as("twice").isInstanceOf(IllegalStateException.class);
    }

    @Test
    void timeToLiveIsTheLease() throws InterruptedException {
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofHours(1))).isTrue();
        assertThat(leaseOf("app:a").remaining()).isGreaterThan(Duration.ofMinutes(50));
        lock.unlock();
    }

    private Lease leaseOf(String key) {
        return registry.held().entrySet().stream()
                .filter(entry -> entry.getKey().key().equals(key))
                .map(entry -> entry.getValue().lease())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void renewalTaskSchedulerTurnsRenewalOn() {
        try (SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler()) {
            registry.setRenewalTaskScheduler(scheduler);
        }
        lock.lock(Duration.ofMinutes(1));
        assertThat(keyhold.inspect().local())
                .singleElement()
                .satisfies(held -> assertThat(held.holders())
                        .singleElement()
                        .satisfies(holder -> assertThat(holder.renewed()).isTrue()));
        lock.unlock();
    }

    @Test
    void renewLockExtends() throws Exception {
        lock.lock(Duration.ofMinutes(1));
        onOtherThread(() -> {
            registry.renewLock("a", Duration.ofHours(1));
            return true;
        });
        assertThat(leaseOf("app:a").remaining()).isGreaterThan(Duration.ofMinutes(50));
        registry.renewLock("a");
        lock.unlock();
    }

    @Test
    void renewLockOfWhatIsNotHeldIsRefused() {
        assertThatThrownBy(() -> registry.renewLock("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no thread of this registry holds it");
        lock.lock();
        other.inspect().forceRelease("app:a");
        assertThatThrownBy(() -> registry.renewLock("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it was lost");
    }

    @Test
    void renewLockFindsTheHolderAmongThreadsThatLostTheLock() throws Exception {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Boolean> lost = new CompletableFuture<>();
            new Thread(() -> lost.complete(lockAndLose())).start();
            assertThat(lost.get(1, TimeUnit.MINUTES)).isTrue();
        }
        lock.lock(Duration.ofMinutes(1));
        registry.renewLock("a", Duration.ofHours(1));
        assertThat(other.inspect().lock("app:a").holders().get(0).remaining().orElseThrow())
                .isGreaterThan(Duration.ofMinutes(50));
        lock.unlock();
    }

    /** Returns whether the lock is known to be lost. */
    private boolean lockAndLose() {
        lock.lock();
        other.inspect().forceRelease("app:a");
        KeyholdLockRegistry.Owner self = new KeyholdLockRegistry.Owner(Thread.currentThread(), "app:a");
        return !Objects.requireNonNull(registry.held().get(self)).lease().extend(LONG);
    }

    @Test
    void lockIgnoresInterruptsAndKeepsThem() throws Exception {
        Lease held = other.lock("app:a").acquire();
        Thread waiter = Thread.currentThread();
        CompletableFuture<Void> release = CompletableFuture.runAsync(() -> {
            while (other.inspect().lock("app:a").queue().isEmpty()) {
                Thread.onSpinWait();
            }
            waiter.interrupt();
            held.release();
        });
        lock.lock();
        assertThat(Thread.interrupted()).isTrue(); // First: an interrupted thread cannot wait for the other.
        release.get(1, TimeUnit.MINUTES);
        lock.unlock();
    }

    @Test
    void lockInterruptiblyThrows() throws InterruptedException {
        Lease held = other.lock("app:a").acquire();
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        held.release();
    }

    @Test
    void tryLockGivesUp() throws InterruptedException {
        Lease held = other.lock("app:a").acquire();
        assertThat(lock.tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
        assertThatThrownBy(() -> registry.executeLocked("a", Duration.ofMillis(10), () -> {}))
                .isInstanceOf(TimeoutException.class);
        held.release();
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
    }

    @Test
    void failureIsCannotAcquire() {
        keyhold.close();
        assertThatThrownBy(() -> lock.tryLock())
                .isInstanceOf(CannotAcquireLockException.class)
                .hasMessageContaining("app:a");
    }

    @Test
    void badInputIsRefused() {
        assertThatThrownBy(() -> registry.obtain(42)).hasMessageContaining("must be a String, was 42");
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void twoRegistriesOnRedisCountTogether() throws Exception {
        int[] counter = {0};
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Keyhold one = Keyhold.connect(redis.uri());
                Keyhold two = Keyhold.connect(redis.uri())) {
            List<KeyholdLockRegistry> registries = List.of(new KeyholdLockRegistry(one), new KeyholdLockRegistry(two));
            List<CompletableFuture<Void>> calls = IntStream.range(0, 200)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> increment(registries.get(i % 2), counter), threads))
                    .toList();
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
            assertThat(counter[0]).isEqualTo(200);
            assertThat(registries).allMatch(each -> each.held().isEmpty());
        } finally {
            threads.shutdownNow();
        }
    }

    private static void increment(KeyholdLockRegistry registry, int[] counter) {
        try {
            registry.executeLocked("counter", () -> {
                int before = counter[0];
                counter[0] = before + 1;
            });
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
