package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.SemaphoreOptions;
import io.keyhold.tests.contract.lock.ApiStyle;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import io.keyhold.tests.contract.lock.TestThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several permits in one request. */
public interface WeightContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void permitsAreAcquiredAndReturnedTogether(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedSemaphore mine = first.semaphore(key, 5);
            DistributedSemaphore theirs = second.semaphore(key, 5);
            Lease three = style.acquire(mine, 3);
            assertThat(theirs.availablePermits()).isEqualTo(2);
            assertThat(style.tryAcquire(theirs, 3)).isEmpty();
            assertThat(style.tryAcquire(theirs, 3, Duration.ofMillis(30))).isEmpty();
            Optional<Lease> two = style.tryAcquire(theirs, 2, Duration.ofSeconds(20));
            assertThat(two).isPresent();
            assertThat(mine.availablePermits()).isZero();
            assertThat(style.release(three)).isTrue();
            assertThat(style.release(three)).isFalse();
            assertThat(mine.release(three.token())).isFalse();
            assertThat(mine.availablePermits()).isEqualTo(3);
            assertThat(theirs.release(two.orElseThrow().token())).isTrue();
            assertThat(mine.availablePermits()).isEqualTo(5);
            assertThat(style.tryAcquire(mine, 5)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void expiryReturnsAllPermitsOfHold(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            style.acquire(first.semaphore(key, 5).with(options -> options.lease(Duration.ofMillis(80))), 4);
            assertThat(style.acquire(second.semaphore(key, 5), 5).isHeldOnServer())
                    .isTrue();
        }
    }

    @Test
    default void joinExistingRefusesTooManyPermits() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 3).acquire();
            DistributedSemaphore joined = second.semaphore(
                    key, SemaphoreOptions.builder().permits(17).joinExisting().build());
            assertThatThrownBy(() -> joined.acquire(4))
                    .isInstanceOfSatisfying(
                            SemaphoreLimitException.class,
                            refusal -> assertThat(refusal.permits()).isEqualTo(3))
                    .hasMessageContainingAll(key, "3 permits", "4");
            assertThat(joined.tryAcquire(2)).isPresent();
        }
    }

    @Test
    default void adoptedHoldKeepsItsPermits() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            String token = first.semaphore(key, 5).acquire(3).handOff();
            Lease adopted = second.semaphore(key, 5).adopt(token);
            assertThat(second.semaphore(key, 5).availablePermits()).isEqualTo(2);
            assertThat(adopted.release()).isTrue();
            assertThat(second.semaphore(key, 5).availablePermits()).isEqualTo(5);
        }
    }

    @Test
    default void weightsNeverExceedPermits() throws Exception {
        int limit = 7;
        String key = freshKey();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService executor = TestThreads.executor();
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                DistributedSemaphore semaphore = (i % 2 == 0 ? first : second).semaphore(key, limit);
                Random random = new Random(i);
                work.add(executor.submit(() -> {
                    for (int entry = 0; entry < 5; entry++) {
                        int permits = 1 + random.nextInt(limit);
                        Lease lease = takeSomehow(semaphore, permits, random);
                        int now = inside.addAndGet(permits);
                        most.accumulateAndGet(now, Math::max);
                        assertThat(now).isLessThanOrEqualTo(limit);
                        Thread.onSpinWait();
                        inside.addAndGet(-permits);
                        assertThat(lease.release()).isTrue();
                    }
                    return null;
                }));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            assertThat(most.get()).as("most permits held at a time").isGreaterThan(1);
            PermitCount.assertFree(first.semaphore(key, limit), limit);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Lease takeSomehow(DistributedSemaphore semaphore, int permits, Random random) throws Exception {
        while (true) {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    return semaphore.acquire(permits);
                }
                case 2 -> {
                    return semaphore.acquireAsync(permits).get();
                }
                case 3 -> {
                    CompletableFuture<Lease> regretted = semaphore.acquireAsync(permits);
                    if (!regretted.cancel(true)) {
                        return regretted.get();
                    }
                }
                default -> {
                    Optional<Lease> lease = semaphore.tryAcquire(permits, Duration.ofMillis(random.nextInt(30)));
                    if (lease.isPresent()) {
                        return lease.get();
                    }
                }
            }
        }
    }
}
