package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Several clients and threads that acquire one lock by every kind of call, and count in a ledger that only the lock protects. */
final class ExclusionWorkload {

    private ExclusionWorkload() {}

    static void holdsNeverOverlap(StoreUnderTest store, LockOptions.Builder options) throws Exception {
        int threads = 6;
        int entries = 60;
        String key = freshKey();
        LockOptions quick = options.lease(Duration.ofSeconds(20)).build();
        Ledger ledger = new Ledger();
        ExecutorService executor = TestThreads.executor();
        try (Keyhold first = store.client().build();
                Keyhold second = store.client().build()) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                DistributedLock lock = store.lock(i % 2 == 0 ? first : second, key, quick);
                Random random = new Random(i);
                work.add(executor.submit(() -> {
                    for (int entry = 0; entry < entries; entry++) {
                        enterSomehow(lock, ledger, random);
                    }
                    return null;
                }));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            assertThat(ledger.entries).isEqualTo((long) threads * entries);
            assertThat(store.lock(first, key).isLocked()).isFalse();
        } finally {
            executor.shutdownNow();
        }
    }

    private static void enterSomehow(DistributedLock lock, Ledger ledger, Random random) throws Exception {
        switch (random.nextInt(4)) {
            case 0 -> lock.run(ledger::enter);
            case 1 -> {
                try (Lease lease = lock.acquireAsync().get()) {
                    ledger.enter(lease);
                }
            }
            case 2 -> {
                Optional<Lease> lease = Optional.empty();
                while (lease.isEmpty()) {
                    lease = lock.tryAcquire(Duration.ofMillis(random.nextInt(20)));
                }
                ledger.enter(lease.get());
                assertThat(lease.get().release()).isTrue();
            }
            default -> {
                Optional<Lease> lease = Optional.empty();
                while (lease.isEmpty()) {
                    lease = lock.tryAcquireAsync(Duration.ofMillis(random.nextInt(20)))
                            .get();
                }
                ledger.enter(lease.get());
                assertThat(lease.get().releaseAsync().get()).isTrue();
            }
        }
    }
}
