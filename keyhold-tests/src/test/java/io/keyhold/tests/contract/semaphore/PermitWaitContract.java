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
import io.keyhold.tests.contract.lock.Background;
import io.keyhold.tests.contract.lock.LockFace;
import io.keyhold.tests.contract.lock.StoreUnderTest;
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
    @EnumSource(LockFace.class)
    default void aWaiterGetsAPermitWhenOneIsReleased(LockFace face) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = first.semaphore(key, 2).acquire();
            first.semaphore(key, 2).acquire();
            Background<Lease> waiter = Background.start(() -> face.acquire(second.semaphore(key, 2)));
            waiter.awaitWaiting();
            assertThat(held.release()).isTrue();
            assertThat(waiter.result().fencingToken()).isGreaterThan(held.fencingToken());
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void aWaiterGetsThePermitOfAHolderWhoseLeaseEnds(LockFace face) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            // As when its process dies: nobody will release it.
            face.acquire(first.semaphore(key, 2).with(options -> options.lease(Duration.ofMillis(80))));
            face.acquire(first.semaphore(key, 2));
            assertThat(face.acquire(second.semaphore(key, 2)).isHeldOnServer()).isTrue();
            assertThat(face.tryAcquire(second.semaphore(key, 2)))
                    .as("only one ended")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void oneCallMayWaitForAnotherTimeThanTheOptionsSay(LockFace face) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease held = first.semaphore(key, 1).acquire();
            DistributedSemaphore hasty =
                    second.semaphore(key, 1).with(options -> options.maxWait(Duration.ofMillis(1)));
            assertThat(face.tryAcquire(hasty, Duration.ZERO)).isEmpty();
            assertThat(face.tryAcquire(hasty, Duration.ofMillis(20))).isEmpty();
            Background<Boolean> patient = Background.start(
                    () -> face.tryAcquire(hasty, Duration.ofSeconds(60)).isPresent());
            patient.awaitWaiting();
            held.release();
            assertThat(patient.result()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void aTimeoutNamesTheKeyTheAttemptsAndAHolder(LockFace face) throws InterruptedException {
        try (Keyhold first = client().clientName("first").build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 1).acquire();
            DistributedSemaphore semaphore =
                    second.semaphore(key, 1).with(options -> options.maxWait(Duration.ofMillis(40)));
            assertThatThrownBy(() -> face.acquire(semaphore))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isPositive())
                    .hasMessageContainingAll("semaphore", key, " attempt", "held by first@", "lease ends in");
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void retriesAreCountedAndThenSpent(LockFace face) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 1).acquire();
            DistributedSemaphore semaphore =
                    second.semaphore(key, 1).with(options -> options.retries(3).retryInterval(Duration.ofMillis(1)));
            assertThatThrownBy(() -> face.acquire(semaphore))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isEqualTo(4))
                    .hasMessageContainingAll(key, "4 attempts");
            assertThat(first.inspect().lock(key).waiterCount()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void noRetriesMeansOneAttempt(LockFace face) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 1).acquire();
            DistributedSemaphore semaphore = second.semaphore(key, 1).with(options -> options.retries(0));
            assertThatThrownBy(() -> face.acquire(semaphore))
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isEqualTo(1));
            assertThat(face.tryAcquire(semaphore, Duration.ofMinutes(1))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void aPermitThatComesBeforeALaterAttemptIsTaken(LockFace face) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            first.semaphore(key, 1)
                    .with(options -> options.lease(Duration.ofSeconds(4)))
                    .acquire();
            SemaphoreOptions options = SemaphoreOptions.builder()
                    .retries(1_000_000)
                    .retryInterval(Duration.ofMillis(20))
                    .build();
            assertThat(face.acquire(second.semaphore(key, options)).attempts()).isGreaterThan(1);
        }
    }

    @Test
    default void anInterruptedWaiterLeavesNothingBehind() throws Exception {
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
    default void aThreadThatIsInterruptedAlreadyDoesNotAskAtAll() {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 1);
            Thread.currentThread().interrupt();
            assertThatThrownBy(semaphore::acquire).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
        }
    }

    @Test
    default void aCancelledRequestLeavesNothingBehind() throws Exception {
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
    default void requestsThatAreCancelledAtAnyMomentGiveBackWhatTheyGot() throws Exception {
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
