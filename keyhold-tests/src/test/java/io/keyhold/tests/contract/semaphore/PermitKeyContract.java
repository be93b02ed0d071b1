package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.Await.await;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockKind;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key has one kind. */
public interface PermitKeyContract extends StoreUnderTest {

    @Test
    default void twoKeysAreTwoSemaphores() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            assertThat(keyhold.semaphore(freshKey(), 1).acquire().isHeldOnServer())
                    .isTrue();
            assertThat(keyhold.semaphore(freshKey(), 1).acquire().isHeldOnServer())
                    .isTrue();
        }
    }

    @Test
    default void prefixesSeparateClients() throws InterruptedException {
        String key = freshKey();
        try (Keyhold first = client().keyPrefix("one:").build();
                Keyhold second = client().keyPrefix("two:").build()) {
            assertThat(first.semaphore(key, 1).acquire().key()).isEqualTo(key);
            assertThat(second.semaphore(key, 2).tryAcquire()).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "{x}", "a{x}b", "{}x", "a}b{", "Schlüssel 鍵 🔑", "with space", "{user}:lock"})
    default void anyTextIsKey(String name) throws InterruptedException {
        try (Keyhold keyhold = client().keyPrefix(freshKey()).build()) {
            List<Lease> leases = new ArrayList<>();
            for (String key : List.of(name, name + "2", "{" + name + "}2")) {
                leases.add(keyhold.semaphore(key, 1).acquire());
            }
            assertThat(leases).allMatch(Lease::isHeldOnServer).allMatch(Lease::release);
        }
    }

    @Test
    default void semaphoreIsRefusedOnLock() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.lock(key).acquire();
            assertThatThrownBy(() -> second.semaphore(key, 2).tryAcquire())
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).contains(LockKind.LOCK))
                    .hasMessageContaining("cannot acquire semaphore '" + key + "': the key is in use as a lock");
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(lease.release()).isTrue();
            assertThat(second.semaphore(key, 2).tryAcquire())
                    .as("the lock is released")
                    .isPresent();
        }
    }

    @Test
    default void lockIsRefusedOnSemaphore() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.semaphore(key, 2).acquire();
            assertThatThrownBy(() -> second.lock(key).tryAcquire())
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).contains(LockKind.SEMAPHORE))
                    .hasMessageContaining("cannot acquire lock '" + key + "': the key is in use as a semaphore");
            assertThatThrownBy(() -> second.allOf(key, "{" + key + "}").tryAcquire())
                    .isInstanceOf(WrongKindException.class)
                    .hasMessageContaining("cannot acquire lock '" + key + "'");
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(lease.release()).isTrue();
            assertThat(second.lock(key).tryAcquire())
                    .as("all permits are released")
                    .isPresent();
        }
    }

    /** A free read/write lock leaves nothing, however it became free. */
    @Test
    default void semaphoreIsGrantedAfterReadLockExpired() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            letReadLockExpire(first, key);
            assertThat(second.semaphore(key, 2).tryAcquire()).isPresent();
        }
    }

    @Test
    default void semaphoreIsResizedAfterReadLockExpired() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            letReadLockExpire(first, key);
            assertThat(second.semaphore(key, 2).resize(3)).isEqualTo(2);
            assertThat(second.semaphore(key, 3).tryAcquire(3)).isPresent();
        }
    }

    private static void letReadLockExpire(Keyhold keyhold, String key) throws InterruptedException {
        LockOptions options = LockOptions.builder().lease(Duration.ofMillis(50)).build();
        keyhold.readWriteLock(key, options).readLock().acquire().handOff();
        await(() -> !keyhold.inspect().lock(key).isHeld());
    }
}
