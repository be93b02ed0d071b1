package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreOptions;
import io.keyhold.tests.contract.lock.ApiStyle;
import io.keyhold.tests.contract.lock.Background;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting for a permit, and giving up. */
public interface PermitWaitContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void waiterGetsReleasedPermit(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = first.semaphore(key, 2).acquire();
            first.semaphore(key, 2).acquire();
            Background<Lease> waiter = Background.start(() -> style.acquire(second.semaphore(key, 2)));
            waiter.awaitWaiting();
            assertThat(held.release()).isTrue();
            assertThat(waiter.result().fencingToken()).isGreaterThan(held.fencingToken());
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void waiterGetsExpiredPermit(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            // As when its process dies: it is never released.
            style.acquire(first.semaphore(key, 2).with(options -> options.lease(Duration.ofMillis(80))));
            style.acquire(first.semaphore(key, 2));
            assertThat(style.acquire(second.semaphore(key, 2)).isHeldOnServer()).isTrue();
            assertThat(style.tryAcquire(second.semaphore(key, 2)))
                    .as("only one ended")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void waitOfOneCallMayDiffer(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = first.semaphore(key, 1).acquire();
            DistributedSemaphore hasty =
                    second.semaphore(key, 1).with(options -> options.maxWait(Duration.ofMillis(1)));
            assertThat(style.tryAcquire(hasty, Duration.ZERO)).isEmpty();
            assertThat(style.tryAcquire(hasty, Duration.ofMillis(20))).isEmpty();
            Background<Boolean> patient = Background.start(
                    () -> style.tryAcquire(hasty, Duration.ofSeconds(60)).isPresent());
            patient.awaitWaiting();
            held.release();
            assertThat(patient.result()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void timeoutNamesKeyAttemptsAndHolder(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().clientName("first").build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 1).acquire();
            DistributedSemaphore semaphore =
                    second.semaphore(key, 1).with(options -> options.maxWait(Duration.ofMillis(40)));
            assertThatThrownBy(() -> style.acquire(semaphore))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isPositive())
                    .hasMessageContainingAll("semaphore", key, " attempt", "held by first@", "lease ends in");
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void retriesAreCountedUntilExhausted(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 1).acquire();
            DistributedSemaphore semaphore =
                    second.semaphore(key, 1).with(options -> options.retries(3).retryInterval(Duration.ofMillis(1)));
            assertThatThrownBy(() -> style.acquire(semaphore))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isEqualTo(4))
                    .hasMessageContainingAll(key, "4 attempts");
            assertThat(first.inspect().lock(key).waiterCount()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void noRetriesMeansOneAttempt(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 1).acquire();
            DistributedSemaphore semaphore = second.semaphore(key, 1).with(options -> options.retries(0));
            assertThatThrownBy(() -> style.acquire(semaphore))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isEqualTo(1));
            assertThat(style.tryAcquire(semaphore, Duration.ofMinutes(1))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void permitReturnedBetweenAttemptsIsTaken(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = first.semaphore(key, 1).acquire();
            SemaphoreOptions options = SemaphoreOptions.builder()
                    .retries(1_000_000)
                    .retryInterval(Duration.ofMillis(20))
                    .build();
            Background<Lease> waiter = Background.start(() -> style.acquire(second.semaphore(key, options)));
            Waiters.awaitFirstReply(second);
            assertThat(held.release()).isTrue();
            assertThat(waiter.result().attempts()).isGreaterThan(1);
        }
    }

    @Test
    default void interruptedWaiterLeavesNothingBehind() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = first.semaphore(key, 1).acquire();
            Background<Lease> waiter =
                    Background.start(() -> second.semaphore(key, 1).acquire());
            waiter.awaitWaiting();
            waiter.interrupt();
            assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
            held.release();
            assertThat(first.semaphore(key, 1).tryAcquire()).isPresent();
        }
    }

    @Test
    default void interruptedThreadSendsNothing() {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 1);
            Thread.currentThread().interrupt();
            assertThatThrownBy(semaphore::acquire).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
        }
    }

    @Test
    default void cancelledRequestLeavesNothingBehind() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.semaphore(key, 1).acquire();
            CompletableFuture<Lease> waiter = second.semaphore(key, 1).acquireAsync();
            assertThat(waiter.cancel(true)).isTrue();
            held.release();
            PermitCount.assertFree(first.semaphore(key, 1), 1);
        }
    }

    @Test
    default void cancelAtAnyMomentReturnsPermits() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            List<CompletableFuture<Lease>> requests = new ArrayList<>();
            for (int round = 0; round < 60; round++) {
                CompletableFuture<Lease> request =
                        (round % 2 == 0 ? first : second).semaphore(key, 3).acquireAsync();
                requests.add(request);
                for (int spin = 0; spin < round * 200; spin++) {
                    Thread.onSpinWait();
                }
                if (round % 5 == 4) {
                    requests.forEach(one -> {
                        if (!one.cancel(true)) {
                            one.join().release();
                        }
                    });
                    requests.clear();
                }
            }
            PermitCount.assertFree(first.semaphore(key, 3), 3);
        }
    }
}
