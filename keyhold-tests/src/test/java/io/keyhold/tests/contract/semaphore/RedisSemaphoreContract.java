package io.keyhold.tests.contract.semaphore;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.SemaphoreOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.tests.contract.lock.CountingDriver;
import io.keyhold.tests.contract.lock.OnRedis;
import io.keyhold.tests.contract.lock.Renewed;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The keys of a semaphore on Redis by scripts: each expires, and changing them from outside never admits too many holders. */
public interface RedisSemaphoreContract extends OnRedis {

    @Test
    default void everyKeyExpiresWhileItIsUsed() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 2).acquire(2);
            CompletableFuture<Lease> waiter = second.semaphore(key, 2).acquireAsync();
            Waiters.await(first, key, 1);
            assertThat(expiringKeys(key)).containsExactlyInAnyOrder(key, state(key), waiters(key));
            waiter.cancel(true);
        }
    }

    @Test
    default void everyKeyExpiresAfterUse() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore = keyhold.semaphore(key, 2);
            Lease one = semaphore.acquire();
            Lease shorter = semaphore
                    .with(options -> options.lease(Duration.ofSeconds(10)))
                    .acquire();
            assertThat(expiringKeys(key)).containsExactlyInAnyOrder(key, state(key));
            assertThat(one.release()).isTrue();
            assertThat(shorter.release()).isTrue();
            assertThat(expiringKeys(key)).containsExactly(state(key));
            semaphore.resize(5);
            assertThat(expiringKeys(key)).containsExactly(state(key));
        }
    }

    @Test
    default void everyKeyExpiresAfterCrash() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            // As when its process dies.
            first.semaphore(key, 2)
                    .with(options -> options.lease(Duration.ofMillis(100)))
                    .acquire();
            first.semaphore(key, 2)
                    .with(options -> options.lease(Duration.ofSeconds(20)))
                    .acquire()
                    .handOff();
            second.semaphore(key, 2).acquire().release();
            assertThat(expiringKeys(key)).containsExactlyInAnyOrder(key, state(key));
        }
    }

    @Test
    default void holdersKeyOutlivesLastHolder() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore = keyhold.semaphore(key, 3);
            semaphore.with(options -> options.lease(Duration.ofMinutes(9))).acquire();
            semaphore.with(options -> options.lease(Duration.ofSeconds(1))).acquire();
            assertThat((Long) redis(RedisCall.of("PTTL", key))).isGreaterThan(8 * 60_000L);
        }
    }

    @Test
    default void deletedHoldersFreeAllPermits() throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build()) {
                String key = freshKey();
                DistributedSemaphore semaphore = keyhold.semaphore(
                        key,
                        SemaphoreOptions.builder()
                                .permits(3)
                                .lease(Renewed.LEASE)
                                .renew(true)
                                .build());
                Lease lost = semaphore.acquire(2);
                removeForeign(key);
                assertThat(semaphore.availablePermits()).isEqualTo(3);
                PermitCount.assertFree(semaphore, 3);
                LeaseLost loss = lost.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.GONE);
                assertThat(lost.release()).isFalse();
                PermitCount.assertFree(semaphore, 3);
            }
        });
    }

    @Test
    default void deletedStateGrantsNothingUntilHoldersEnd() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore = keyhold.semaphore(key, 3);
            Lease one = semaphore.acquire();
            Lease two = semaphore.acquire();
            redis(RedisCall.of("DEL", state(key)));
            assertThat(semaphore.tryAcquire()).as("the holders are unknown").isEmpty();
            assertThat(one.isHeldOnServer() && two.isHeldOnServer()).isTrue();
            assertThat(one.extend(Duration.ofMinutes(1))).isTrue();
            assertThat(one.release()).isTrue();
            assertThat(semaphore.tryAcquire()).as("one is still held").isEmpty();
            assertThat(two.release()).isTrue();
            PermitCount.assertFree(semaphore, 3);
        }
    }

    @Test
    default void deletedStateGrantsNothingAfterResize() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore = keyhold.semaphore(key, 4);
            Lease held = semaphore.acquire(4);
            redis(RedisCall.of("DEL", state(key)));
            semaphore.resize(2);
            semaphore.resize(5);
            assertThat(semaphore.tryAcquire(2)).as("four of five are held").isEmpty();
            assertThat(semaphore.availablePermits()).isZero();
            assertThat(held.release()).isTrue();
            PermitCount.assertFree(semaphore, 5);
        }
    }

    @Test
    default void everyHolderIsAdoptedAfterStateWasDeleted() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedSemaphore semaphore = keyhold.semaphore(key, 2);
            String one = semaphore.acquire().handOff();
            String two = semaphore.acquire().handOff();
            redis(RedisCall.of("DEL", state(key)));
            Lease first = semaphore.adopt(one);
            Lease second = semaphore.adopt(two);
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
            assertThat(first.release()).isTrue();
            assertThat(semaphore.tryAcquire()).as("the other is still held").isEmpty();
            assertThat(second.release()).isTrue();
            PermitCount.assertFree(semaphore, 2);
        }
    }

    @Test
    default void deletedQueueStillServesWaiters() throws Exception {
        undisturbed(() -> {
            try (Keyhold first = client().build();
                    Keyhold second = client().build()) {
                String key = freshKey();
                Lease held = first.semaphore(key, 1)
                        .with(options -> options.lease(Duration.ofSeconds(2)))
                        .acquire();
                CompletableFuture<Lease> waiter = second.semaphore(key, 1).acquireAsync();
                Waiters.await(first, key, 1, held::isHeld);
                redis(RedisCall.of("DEL", waiters(key)));
                assertThat(waiter.get().isHeldOnServer()).isTrue();
            }
        });
    }

    @Test
    default void keyOfOtherTypeIsLeftUntouched() {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            redis(RedisCall.of("RPUSH", key, "a list"));
            DistributedSemaphore semaphore = keyhold.semaphore(key, 1);
            assertThatThrownBy(semaphore::tryAcquire).hasMessageContaining(key);
            assertThat(semaphore.release("unknown")).isFalse();
            assertThat(semaphore.isHeld("unknown")).isFalse();
            assertThat(redis(RedisCall.of("LLEN", key))).isEqualTo(1L);
            removeForeign(key);
        }
    }

    @Test
    default void waiterSendsNothingUntilLeaseEnds() throws Exception {
        undisturbed(() -> {
            List<CountingDriver> counting = new CopyOnWriteArrayList<>(); // In a cluster one for each node.
            try (Keyhold first = client().build();
                    Keyhold second = client(driver -> counted(driver, counting)).build()) {
                String key = freshKey();
                String token = first.semaphore(key, 1)
                        .with(options -> options.lease(Duration.ofSeconds(2)))
                        .acquire()
                        .handOff();
                CompletableFuture<Lease> waiter = second.semaphore(key, 1).acquireAsync();
                Waiters.await(first, key, 1, () -> first.semaphore(key, 1).isHeld(token));
                counting.forEach(CountingDriver::forget);
                waiter.get();
                // It asks when the lease should have ended; a second time if that was early, or if the machine is slow.
                // Polling would be dozens of times. Its PUBLISH only checks that its grant channel works.
                assertThat(counting)
                        .flatExtracting(CountingDriver::carried)
                        .filteredOn(command -> !command.equals("PUBLISH") && !command.equals("CLUSTER"))
                        .hasSizeBetween(1, 4);
            }
        });
    }

    private static RedisDriver counted(RedisDriver driver, List<CountingDriver> all) {
        CountingDriver counting = new CountingDriver(driver);
        all.add(counting);
        return counting;
    }

    private static String state(String key) {
        return "{" + key + "}:kh:permits";
    }

    private static String waiters(String key) {
        return "{" + key + "}:kh:waiters";
    }

    /** Returns all keys of the semaphore, and asserts that each has an expiry. */
    private List<String> expiringKeys(String key) {
        List<String> found = new ArrayList<>();
        if (redis(RedisCall.of("KEYS", "*" + key + "*")) instanceof List<?> keys) {
            for (Object one : keys) {
                assertThat((Long) redis(RedisCall.of("PTTL", (String) one)))
                        .as("expiry of %s", one)
                        .isPositive();
                found.add((String) one);
            }
        }
        return found;
    }
}
