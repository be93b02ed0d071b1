package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockHolder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Lease#releaseAfter}: the hold ends, and the key stays taken for a while. */
public interface RestContract extends StoreUnderTest {

    /** A rest that does not end during a test. */
    Duration LONG_REST = Duration.ofMinutes(5);

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void restEndsHoldAndKeepsKeyTaken(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build();
                Keyhold other = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lease lease = style.acquire(lock);
            assertThat(style.releaseAfter(lease, LONG_REST)).isTrue();
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.isHeldOnServer()).isFalse();
            assertThat(lease.remaining()).isZero();
            assertThat(lease.lost().toCompletableFuture()).isNotDone();
            assertThat(lock(other, key).isLocked()).isTrue();
            assertThat(lock(other, key).tryAcquire()).isEmpty();
            assertThat(lock.tryAcquire(Duration.ofMillis(30)))
                    .as("this thread no longer holds it, and waits like any other")
                    .isEmpty();
        }
    }

    @Test
    default void leaseIsReleasedOnce() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease lease = lock(keyhold, key).acquire();
            assertThat(lease.releaseAfter(LONG_REST)).isTrue();
            assertThat(lease.releaseAfter(Duration.ofMillis(1))).isFalse();
            assertThat(lease.release()).isFalse();
            lease.close();
            assertThat(lock(keyhold, key).isLocked()).isTrue();
        }
    }

    @Test
    default void tokenHoldsNothingDuringRest() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease lease = lock.acquire();
            lease.releaseAfter(LONG_REST);
            assertThat(lock.release(lease.token())).isFalse();
            assertThatThrownBy(() -> lock.adopt(lease.token())).isInstanceOf(LeaseLostException.class);
            assertThat(lock.isLocked()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 8})
    default void restMayBeShorterOrLongerThanLease(long leaseMinutes) throws InterruptedException {
        try (Keyhold keyhold = client().clientName("nightly").build()) {
            String key = freshKey();
            LockOptions options = LockOptions.builder()
                    .lease(Duration.ofMinutes(leaseMinutes))
                    .build();
            Lease lease = lock(keyhold, key, options).acquire();
            lease.releaseAfter(LONG_REST);
            LockHolder shown = keyhold.inspect().lock(key).holder().orElseThrow();
            assertThat(shown.isResting()).isTrue();
            assertThat(shown.token()).isEqualTo(lease.token() + " (resting)");
            assertThat(shown.clientName()).contains("nightly");
            assertThat(shown.fencingToken()).hasValue(lease.fencingToken());
            assertThat(shown.remaining().orElseThrow()).isBetween(LONG_REST.dividedBy(2), LONG_REST);
        }
    }

    /** The lease is so long that a waiter that slept until its end would exceed the time limit of the test. */
    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void nextWaiterIsServedAfterRest(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = StoreUnderTest.warm(client())) {
            String key = freshKey();
            LockOptions options =
                    LockOptions.builder().lease(Duration.ofMinutes(8)).build();
            Lease lease = lock(first, key, options).acquire();
            Background<Lease> waiter = Background.start(() -> style.acquire(lock(second, key)));
            waiter.awaitWaiting();
            assertRests(lease, Duration.ofMillis(100), waiter);
        }
    }

    @Test
    default void waiterOfSameClientWaitsForEndOfRest() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease lease = lock(keyhold, key).acquire();
            Background<Lease> waiter = Background.start(() -> lock(keyhold, key).acquire());
            waiter.awaitWaiting();
            assertRests(lease, Duration.ofMillis(100), waiter);
        }
    }

    private static void assertRests(Lease lease, Duration rest, Background<Lease> waiter) throws Exception {
        long before = System.nanoTime();
        assertThat(lease.releaseAfter(rest)).isTrue();
        Lease next = waiter.result();
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
        assertThat(waited).as("less the drift of clocks").isGreaterThanOrEqualTo(rest.toMillis() * 98 / 100 - 2);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    default void restOfZeroIsRelease() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease lease = lock(keyhold, key).acquire();
            assertThat(lease.releaseAfter(Duration.ZERO)).isTrue();
            assertThat(lock(keyhold, key).isLocked()).isFalse();
        }
    }

    @Test
    default void badRestIsRefusedAndLeaseContinues() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            Lease lease = freshLock(keyhold).acquire();
            assertThatThrownBy(() -> lease.releaseAfter(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("rest must be from 0");
            assertThatThrownBy(() -> lease.releaseAfterAsync(Duration.ofDays(32)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("32 d");
            assertThat(lease.isHeld() && lease.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void restAfterExpirySparesNextHolder() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease expired = lock(
                            first,
                            key,
                            LockOptions.builder().lease(Duration.ofMillis(50)).build())
                    .acquire();
            CompletableFuture<Lease> next = lock(second, key).acquireAsync();
            assertThat(next.get().isHeldOnServer()).isTrue();
            assertThat(expired.releaseAfter(LONG_REST)).isFalse();
            assertThat(next.get().release()).isTrue();
            assertThat(lock(first, key).isLocked()).isFalse();
        }
    }
}
