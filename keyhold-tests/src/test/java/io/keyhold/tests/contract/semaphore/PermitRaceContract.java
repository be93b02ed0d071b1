package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
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

/** Many threads: never more holders than permits, and all permits are free at the end. */
public interface PermitRaceContract extends StoreUnderTest {

    @Test
    default void releaseRacingExpiryAddsNoPermit() throws Exception {
        String key = freshKey();
        ExecutorService executor = TestThreads.executor();
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            // Held throughout: the count of a semaphore without holders starts again, which would hide a wrong count.
            Lease kept = first.semaphore(key, 4)
                    .with(options -> options.lease(Duration.ofMinutes(5)))
                    .acquire();
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Keyhold keyhold = i % 2 == 0 ? first : second;
                Random random = new Random(i);
                work.add(executor.submit(() -> {
                    for (int round = 0; round < 30; round++) {
                        releaseAtTheLastMoment(keyhold, key, random);
                    }
                    return null;
                }));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            DistributedSemaphore semaphore = first.semaphore(key, 4);
            PermitCount.assertFree(semaphore, 3);
            assertThat(semaphore.availablePermits()).isEqualTo(3);
            assertThat(kept.isHeldOnServer()).isTrue();
        } finally {
            executor.shutdownNow();
        }
    }

    private static void releaseAtTheLastMoment(Keyhold keyhold, String key, Random random) throws InterruptedException {
        Duration brief = Duration.ofMillis(15 + random.nextInt(35));
        DistributedSemaphore semaphore = keyhold.semaphore(key, 4).with(options -> options.lease(brief));
        long begun = System.nanoTime();
        Optional<Lease> lease = semaphore.tryAcquire(Duration.ofSeconds(20));
        long moment = begun + brief.toNanos() + random.nextInt(2_000_000) - 1_000_000;
        while (System.nanoTime() < moment) {
            Thread.onSpinWait();
        }
        // By its token, because the lease itself would send nothing.
        semaphore.release(lease.orElseThrow().token());
        lease.orElseThrow().release();
    }

    @Test
    default void holdersNeverExceedPermits() throws Exception {
        int limit = 3;
        int threads = 24;
        int entries = 10;
        String key = freshKey();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger entered = new AtomicInteger();
        ExecutorService executor = TestThreads.executor();
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                DistributedSemaphore semaphore = (i % 2 == 0 ? first : second).semaphore(key, limit);
                Random random = new Random(i);
                work.add(executor.submit(() -> {
                    for (int entry = 0; entry < entries; entry++) {
                        Lease lease = takeSomehow(semaphore, random);
                        assertThat(inside.incrementAndGet()).isLessThanOrEqualTo(limit);
                        entered.incrementAndGet();
                        Thread.onSpinWait();
                        inside.decrementAndGet();
                        assertThat(lease.release()).isTrue();
                    }
                    return null;
                }));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            assertThat(entered).hasValue(threads * entries);
            PermitCount.assertFree(first.semaphore(key, limit), limit);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Lease takeSomehow(DistributedSemaphore semaphore, Random random) throws Exception {
        while (true) {
            switch (random.nextInt(5)) {
                case 0 -> {
                    return semaphore.acquire();
                }
                case 1 -> {
                    return semaphore.acquireAsync().get();
                }
                case 2 -> {
                    CompletableFuture<Lease> regretted = semaphore.acquireAsync();
                    if (!regretted.cancel(true)) {
                        return regretted.get();
                    }
                }
                default -> {
                    Optional<Lease> lease = semaphore.tryAcquire(Duration.ofMillis(random.nextInt(30)));
                    if (lease.isPresent()) {
                        return lease.get();
                    }
                }
            }
        }
    }
}
