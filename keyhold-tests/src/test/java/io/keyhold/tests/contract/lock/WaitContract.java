package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting for a lock, and giving up. */
public interface WaitContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void waiterIsGrantedOnRelease(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = lock(first, key).acquire();
            Background<Lease> waiter = Background.start(() -> style.acquire(lock(second, key)));
            waiter.awaitWaiting();
            assertThat(held.release()).isTrue();
            assertThat(waiter.result().fencingToken()).isGreaterThan(held.fencingToken());
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void waiterIsGrantedWhenLeaseEnds(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            style.acquire(lock(
                    first,
                    key,
                    LockOptions.builder().lease(Duration.ofMillis(80)).build()));
            assertThat(style.tryAcquire(lock(second, key), Duration.ofSeconds(30)))
                    .isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void timeoutNamesHolder(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().clientName("first").build();
                Keyhold second = client().build()) {
            String key = freshKey();
            lock(first, key).acquire();
            DistributedLock lock = lock(
                    second,
                    key,
                    LockOptions.builder().maxWait(Duration.ofMillis(40)).build());
            assertThatThrownBy(() -> style.acquire(lock))
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContainingAll(key, "held by first@", "lease ends in");
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void maxWaitOfZeroIsOneAttempt(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            lock(first, key).acquire();
            DistributedLock lock = lock(
                    second, key, LockOptions.builder().maxWait(Duration.ZERO).build());
            assertThatThrownBy(() -> style.acquire(lock))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isEqualTo(1));
            assertThat(style.tryAcquire(lock, Duration.ZERO)).isEmpty();
        }
    }

    @Test
    default void interruptedWaiterLeavesNothingBehind() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = lock(first, key).acquire();
            Background<Lease> waiter = Background.start(() -> lock(second, key).acquire());
            waiter.awaitWaiting();
            waiter.interrupt();
            assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
            held.release();
            assertThat(lock(first, key).tryAcquire()).isPresent();
        }
    }

    @Test
    default void interruptedThreadSendsNothing() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Thread.currentThread().interrupt();
            assertThatThrownBy(lock::acquire).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1))).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    default void tryAcquireWithoutWaitIgnoresInterrupts() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Thread.currentThread().interrupt();
            Optional<Lease> lease = lock.tryAcquire();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(lease).isPresent();
        }
    }

    @Test
    default void cancelledRequestLeavesNothingBehind() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = lock(first, key).acquire();
            CompletableFuture<Lease> waiter = lock(second, key).acquireAsync();
            assertThat(waiter.cancel(true)).isTrue();
            assertThat(waiter).isCancelled();
            held.release();
            assertThat(lock(first, key).tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    @Test
    default void cancelAtAnyMomentLeavesNothingBehind() throws Exception {
        try (Keyhold keyhold = client().build();
                Keyhold other = client().build()) {
            String key = freshKey();
            for (int round = 0; round < 50; round++) {
                CompletableFuture<Lease> request = lock(keyhold, key).acquireAsync();
                for (int spin = 0; spin < round * 200; spin++) {
                    Thread.onSpinWait();
                }
                if (!request.cancel(true)) {
                    request.join().release();
                }
            }
            assertThat(lock(other, key).tryAcquire(Duration.ofSeconds(20)))
                    .as("the lock after all requests")
                    .isPresent();
        }
    }

    @Test
    default void timedOutFutureLeavesNothingBehind() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = lock(first, key).acquire();
            CompletableFuture<Lease> waiter = lock(second, key).acquireAsync().orTimeout(20, TimeUnit.MILLISECONDS);
            assertThatThrownBy(waiter::join).hasCauseInstanceOf(java.util.concurrent.TimeoutException.class);
            held.release();
            assertThat(lock(first, key).tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }
}
