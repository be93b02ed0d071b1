package io.keyhold.tests.contract.lock;

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
    @EnumSource(LockFace.class)
    default void allOfThemOrNone(LockFace face) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build();
                Keyhold third = client().build()) {
            String key = freshKey();
            Lease held = first.lock(key + "b").acquire();
            DistributedLock all = second.allOf(key + "a", key + "b", key + "c");
            assertThat(face.tryAcquire(all)).isEmpty();
            assertThat(face.tryAcquire(all, Duration.ofMillis(50))).isEmpty();
            Lease a = third.lock(key + "a").tryAcquire(Duration.ofSeconds(20)).orElseThrow();
            Lease c = third.lock(key + "c").tryAcquire().orElseThrow();
            assertThat(held.release() && a.release() && c.release()).isTrue();
            assertThat(face.tryAcquire(all)).isPresent();
            for (String part : List.of("a", "b", "c")) {
                assertThat(third.lock(key + part).tryAcquire()).as(part).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void theOrderOfTheKeysMakesNoDifference(LockFace face) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            DistributedLock there = first.allOf(key + "a", key + "b");
            DistributedLock back = second.allOf(key + "b", key + "a");
            assertThat(back.key()).isEqualTo(there.key()).contains(key + "a", key + "b");
            Lease lease = face.acquire(there);
            assertThat(face.tryAcquire(back)).isEmpty();
            assertThat(back.release(lease.token())).isTrue();
            assertThat(face.tryAcquire(back)).isPresent();
        }
    }

    @Test
    default void itExcludesWhoeverWantsPartOfIt() throws InterruptedException {
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
                    .as("if it is held in part, it cannot be had")
                    .isTrue();
        }
    }

    @Test
    default void itsFencingTokenIsLargerThanAllEarlierOnesOfEveryKey() throws InterruptedException {
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
    @EnumSource(LockFace.class)
    default void theLossOfOneKeyIsTheLossOfTheLease(LockFace face) throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            LockOptions renewed =
                    LockOptions.builder().lease(Renewed.LEASE).renew(true).build();
            Lease lease = face.acquire(keyhold.allOf(List.of(key + "a", key + "b", key + "c"), renewed));
            removeForeign(key + "b");
            assertThat(lease.isHeldOnServer()).isFalse();
            LeaseLost loss = lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.GONE);
            assertThat(lease.isHeld()).isFalse();
            assertThat(face.release(lease)).isFalse();
        }
    }

    @Test
    default void aReleaseThatFindsOneKeyGoneFreesTheOthers() throws InterruptedException {
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
    default void aTimeoutNamesTheKeysAndWhoHoldsTheOneThatIsNotToBeHad() throws InterruptedException {
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
    default void aHoldIsHandedOffAndAdoptedWithAllItsKeys() throws InterruptedException {
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
    default void aThreadThatHoldsAKeyAlreadyIsToldSo() throws InterruptedException {
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
    default void aForeignHolderOfOneKeyIsWaitedFor() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            putForeign(key + "b", "somebody-else", Duration.ofMillis(200));
            Lease lease = keyhold.allOf(key + "a", key + "b").acquire();
            assertThat(lease.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void everyKeyShowsTheHolder() throws InterruptedException {
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
            assertThat(lease.release()).as("it was taken away in part").isFalse();
            assertThat(operator.lock(key + "b").isLocked()).isFalse();
        }
    }

    /** Keys may contain anything, also what a list of keys would be joined with. */
    @ParameterizedTest
    @ValueSource(strings = {" ", ",", ", ", "\n", "\u0000"})
    @SuppressWarnings("LockNotBeforeTry") // The order of lock and unlock is what is tested.
    default void theLockOfAKeyIsNotThatOfItsParts(String between) throws Exception {
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
