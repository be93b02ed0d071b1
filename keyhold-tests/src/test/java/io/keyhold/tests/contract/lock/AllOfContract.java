package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.AlreadyHeldException;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockHolder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Keyhold#allOf}, beside what every lock does. */
public interface AllOfContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void allOfThemOrNone(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build();
                Keyhold third = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key + "b").acquire();
            DistributedLock all = second.allOf(key + "a", key + "b", key + "c");
            assertThat(style.tryAcquire(all)).isEmpty();
            assertThat(style.tryAcquire(all, Duration.ofMillis(50))).isEmpty();
            Lease a = third.lock(key + "a").tryAcquire(Duration.ofSeconds(20)).orElseThrow();
            Lease c = third.lock(key + "c").tryAcquire().orElseThrow();
            assertThat(held.release() && a.release() && c.release()).isTrue();
            assertThat(style.tryAcquire(all)).isPresent();
            for (String part : List.of("a", "b", "c")) {
                assertThat(third.lock(key + part).tryAcquire()).as(part).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void orderOfKeysMakesNoDifference(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedLock there = first.allOf(key + "a", key + "b");
            DistributedLock back = second.allOf(key + "b", key + "a");
            assertThat(back.key()).isEqualTo(there.key()).contains(key + "a", key + "b");
            Lease lease = style.acquire(there);
            assertThat(style.tryAcquire(back)).isEmpty();
            assertThat(back.release(lease.token())).isTrue();
            assertThat(style.tryAcquire(back)).isPresent();
        }
    }

    @Test
    default void excludesLocksOfEachPart() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.allOf(key + "a", key + "b").acquire();
            assertThat(second.lock(key + "b").tryAcquire()).isEmpty();
            assertThat(second.allOf(key + "b", key + "c").tryAcquire()).isEmpty();
            assertThat(second.lock(key + "c").isLocked()).isFalse();
            lease.release();
            assertThat(second.lock(key + "b").tryAcquire()).isPresent();
            assertThat(first.allOf(key + "a", key + "b").tryAcquire()).isEmpty();
            assertThat(first.allOf(key + "a", key + "b").isLocked())
                    .as("one of its keys is held")
                    .isTrue();
        }
    }

    @Test
    default void fencingTokenExceedsThoseOfEveryKey() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease a = first.lock(key + "a").acquire();
            a.release();
            Lease b = second.lock(key + "b").acquire();
            b.release();
            Lease both = first.allOf(key + "b", key + "a").acquire();
            assertThat(both.fencingToken()).isGreaterThan(a.fencingToken()).isGreaterThan(b.fencingToken());
            both.release();
            assertThat(second.lock(key + "a").acquire().fencingToken()).isGreaterThan(both.fencingToken());
            assertThat(second.lock(key + "b").acquire().fencingToken()).isGreaterThan(both.fencingToken());
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void lossOfOneKeyLosesLease(ApiStyle style) throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build()) {
                String key = freshKey();
                LockOptions renewed =
                        LockOptions.builder().lease(Renewed.LEASE).renew(true).build();
                Lease lease = style.acquire(keyhold.allOf(List.of(key + "a", key + "b", key + "c"), renewed));
                removeForeign(key + "b");
                assertThat(lease.isHeldOnServer()).isFalse();
                LeaseLost loss = lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.GONE);
                assertThat(lease.isHeld()).isFalse();
                assertThat(style.release(lease)).isFalse();
            }
        });
    }

    @Test
    default void releaseAfterLossOfOneKeyFreesOthers() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease lease = keyhold.allOf(key + "a", key + "b", key + "c").acquire();
            removeForeign(key + "b");
            assertThat(lease.release()).isFalse();
            assertThat(keyhold.allOf(key + "a", key + "b", key + "c").tryAcquire())
                    .isPresent();
        }
    }

    @Test
    default void timeoutNamesKeysAndHolder() throws InterruptedException {
        try (Keyhold first = client().clientName("first").build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.lock(key + "b").acquire();
            LockOptions hasty =
                    LockOptions.builder().maxWait(Duration.ofMillis(60)).build();
            assertThatThrownBy(() ->
                            second.allOf(List.of(key + "a", key + "b"), hasty).acquire())
                    .isInstanceOfSatisfying(
                            AcquireTimeoutException.class,
                            timeout -> assertThat(timeout.attempts()).isPositive())
                    .hasMessageContainingAll(key + "a", key + "b", "held by first@");
        }
    }

    @Test
    default void handOffAndAdoptCoverAllKeys() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.allOf(key + "a", key + "b").acquire();
            String token = lease.handOff();
            Lease adopted = second.allOf(key + "b", key + "a").adopt(token);
            assertThat(adopted.fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(first.lock(key + "a").tryAcquire()).isEmpty();
            assertThat(first.lock(key + "b").tryAcquire()).isEmpty();
            assertThat(adopted.release()).isTrue();
            assertThat(first.allOf(key + "a", key + "b").tryAcquire()).isPresent();
        }
    }

    @Test
    default void threadThatHoldsOneKeyIsRefused() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock both = keyhold.allOf(key + "a", key + "b");
            Lease a = keyhold.lock(key + "a").acquire();
            assertThatThrownBy(both::acquire)
                    .isInstanceOf(AlreadyHeldException.class)
                    .hasMessageContaining(key + "a");
            assertThatThrownBy(() -> both.asLock().lock()).isInstanceOf(AlreadyHeldException.class);
            a.release();
            both.acquire();
            assertThatThrownBy(() -> keyhold.lock(key + "a").acquire()).isInstanceOf(AlreadyHeldException.class);
            assertThatThrownBy(() -> keyhold.lock(key + "b").asLock().lock()).isInstanceOf(AlreadyHeldException.class);
            assertThat(keyhold.allOf(List.of(key + "b", key + "c")).tryAcquire())
                    .isEmpty();
            assertThat(keyhold.lock(key + "c").tryAcquire()).isPresent();
        }
    }

    @Test
    default void waitsForForeignHolderOfOneKey() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            putForeign(key + "b", "other-client", Duration.ofMillis(200));
            Lease lease = keyhold.allOf(key + "a", key + "b").acquire();
            assertThat(lease.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void everyKeyShowsHolder() throws InterruptedException {
        try (Keyhold holder = client().clientName("billing").build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            Lease lease = holder.allOf(key + "a", key + "b").acquire();
            for (String part : List.of("a", "b")) {
                LockHolder shown = operator.inspect().lock(key + part).holder().orElseThrow();
                assertThat(shown.token()).isEqualTo(lease.token());
                assertThat(shown.foreign()).isFalse();
                assertThat(shown.clientName()).contains("billing");
                assertThat(shown.fencingToken()).hasValue(lease.fencingToken());
            }
            assertThat(operator.inspect().forceRelease(key + "a")).isTrue();
            assertThat(lease.release()).as("one of its keys was released").isFalse();
            assertThat(operator.lock(key + "b").isLocked()).isFalse();
        }
    }

    /** Keys may contain any text, also the separators of a list of keys. */
    @ParameterizedTest
    @ValueSource(strings = {" ", ",", ", ", "\n", "\u0000"})
    @SuppressWarnings("LockNotBeforeTry") // The order of lock and unlock is what is tested.
    default void leaseOfOnePartIsRefused(String between) throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock both = keyhold.allOf(key + "a", key + "b");
            DistributedLock one = keyhold.lock(key + "a" + between + key + "b");
            one.asLock().lock();
            assertThatThrownBy(() -> both.asLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
            both.asLock().lock();
            assertThat(both.isLocked()).isTrue();
            one.asLock().unlock();
            assertThat(one.isLocked()).isFalse();
            assertThat(both.isLocked()).isTrue();
            one.asLock().lock();
            assertThat(one.isLocked()).isTrue();
            both.asLock().unlock();
            assertThat(both.isLocked()).isFalse();
            one.asLock().unlock();
        }
    }
}
