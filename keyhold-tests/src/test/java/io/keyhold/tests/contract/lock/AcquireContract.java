package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.AlreadyHeldException;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Acquiring a lock. */
public interface AcquireContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void freeLockIsGrantedAtFirstAttempt(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease lease = style.acquire(lock);
            assertThat(lease.key()).isEqualTo(lock.key());
            assertThat(lease.attempts()).isEqualTo(1);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(LockOptions.DEFAULT_LEASE);
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void heldLockIsDeniedToOtherClients(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = style.acquire(lock(first, key));
            assertThat(style.tryAcquire(lock(second, key))).isEmpty();
            assertThat(style.tryAcquire(lock(second, key), Duration.ofMillis(30)))
                    .isEmpty();
            assertThat(style.release(lease)).isTrue();
            assertThat(style.tryAcquire(lock(second, key))).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void heldLockIsDeniedToOtherThreads(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            style.acquire(lock);
            assertThat(CompletableFuture.supplyAsync(lock::tryAcquire).join()).isEmpty();
        }
    }

    @Test
    default void twoKeysAreTwoLocks() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            assertThat(freshLock(keyhold).acquire().isHeld()).isTrue();
            assertThat(freshLock(keyhold).acquire().isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "{x}", "a{x}b", "{}x", "a}b{", "Schlüssel 鍵 🔑", "with space", "{user}:lock"})
    default void anyTextIsKey(String name) throws InterruptedException {
        try (Keyhold keyhold = client().keyPrefix(freshKey()).build()) {
            List<Lease> leases = new ArrayList<>();
            for (String key : List.of(name, name + "2", "{" + name + "}2")) {
                leases.add(lock(keyhold, key).acquire());
            }
            assertThat(leases).allMatch(Lease::isHeldOnServer).allMatch(Lease::release);
        }
    }

    @Test
    default void prefixesSeparateClients() throws InterruptedException {
        try (Keyhold first = client().keyPrefix("one:").build();
                Keyhold second = client().keyPrefix("two:").build()) {
            String key = freshKey();
            assertThat(lock(first, key).acquire().key())
                    .isEqualTo(lock(second, key).key());
            assertThat(lock(second, key).tryAcquire()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void retriesAreCountedUntilExhausted(ApiStyle style) throws InterruptedException {
        try (Keyhold other = client().clientName("other-client").build();
                Keyhold keyhold = client().build()) {
            String key = freshKey();
            lock(other, key).acquire();
            DistributedLock lock = lock(
                    keyhold,
                    key,
                    LockOptions.builder()
                            .retries(3)
                            .retryInterval(Duration.ofMillis(1))
                            .build());
            assertThatThrownBy(() -> style.acquire(lock))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isEqualTo(4))
                    .hasMessageContainingAll(key, "held by other-client@", "4 attempts");
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void noRetriesMeansOneAttempt(ApiStyle style) throws InterruptedException {
        try (Keyhold other = client().build();
                Keyhold keyhold = client().build()) {
            String key = freshKey();
            lock(other, key).acquire();
            DistributedLock lock =
                    lock(keyhold, key, LockOptions.builder().retries(0).build());
            assertThatThrownBy(() -> style.acquire(lock))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isEqualTo(1));
            assertThat(style.tryAcquire(lock, Duration.ofMinutes(1))).isEmpty();
        }
    }

    @Test
    default void attemptsAreCountedUntilLockIsGranted() throws Exception {
        try (Keyhold other = client().build();
                Keyhold keyhold = warm(client())) {
            String key = freshKey();
            Lease held = lock(other, key).acquire();
            DistributedLock lock = lock(
                    keyhold,
                    key,
                    LockOptions.builder()
                            .retries(1_000_000)
                            .retryInterval(Duration.ofMillis(50))
                            .build());
            Background<Lease> waiter = Background.startOnPlatformThread(lock::acquire);
            waiter.awaitFirstPause();
            held.release();
            assertThat(waiter.result().attempts()).isGreaterThan(1);
        }
    }

    @Test
    default void runSeesAttempts() throws Exception {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            AtomicReference<Integer> attempts = new AtomicReference<>();
            lock.run(lease -> attempts.set(lease.attempts()));
            assertThat(attempts).hasValue(1);
            assertThat(lock.call(Lease::attempts)).isEqualTo(1);
        }
    }

    @Test
    default void acquireWhileHoldingFailsInsteadOfDeadlock() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lease lease = lock.acquire();
            assertThatThrownBy(lock::acquire)
                    .isInstanceOf(AlreadyHeldException.class)
                    .hasMessageContainingAll(key, Thread.currentThread().getName(), "detach");
            assertThat(lock.tryAcquire()).as("there is no deadlock to report").isEmpty();
            assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
            assertThat(lock.with(options -> options.retries(0)).tryAcquire(Duration.ofSeconds(1)))
                    .isEmpty();
            assertThat(lock.tryAcquireAsync().join()).isEmpty();
            assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1))).isInstanceOf(AlreadyHeldException.class);
            assertThatThrownBy(() -> lock.adopt(lease.token())).isInstanceOf(AlreadyHeldException.class);
            assertThat(lease.release()).isTrue();
            assertThat(lock.tryAcquire()).isPresent();
        }
    }

    @Test
    default void detachedLeaseBelongsToNoThread() throws Exception {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease lease = lock.acquire().detach();
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(CompletableFuture.supplyAsync(lease::release).get()).isTrue();
            assertThat(lock.tryAcquire()).isPresent();
        }
    }

    @Test
    default void optionsOfOneCallMayDiffer() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease brief =
                    lock.with(options -> options.lease(Duration.ofSeconds(3))).acquire();
            assertThat(brief.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(3));
            brief.release();
            assertThat(lock.acquire().remaining()).isGreaterThan(Duration.ofSeconds(3));
        }
    }

    @Test
    default void clientDefaultsApplyToLocks() throws InterruptedException {
        LockOptions defaults =
                LockOptions.builder().lease(Duration.ofSeconds(7)).build();
        try (Keyhold keyhold = client().defaults(defaults).build()) {
            assertThat(freshLock(keyhold).acquire().remaining()).isLessThanOrEqualTo(Duration.ofSeconds(7));
        }
    }
}
