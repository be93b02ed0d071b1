package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Keyhold#allOf} when not all keys are free. */
public interface AllOfWaitContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void waiterGetsAllKeysWhenLastIsReleased(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = warm(client())) {
            String key = freshKey();
            Lease a = first.lock(key + "a").acquire();
            Lease b = first.lock(key + "b").acquire();
            Background<Lease> waiter =
                    Background.start(() -> style.acquire(second.allOf(key + "b", key + "a", key + "c")));
            waiter.awaitWaiting();
            a.release();
            b.release();
            Lease lease = waiter.result();
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(lease.fencingToken()).isGreaterThan(b.fencingToken());
            assertThat(first.lock(key + "c").tryAcquire()).isEmpty();
            assertThat(style.release(lease)).isTrue();
            assertThat(first.allOf(key + "a", key + "b", key + "c").isLocked()).isFalse();
        }
    }

    @Test
    default void timeoutAtSecondKeyReleasesFirst() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.lock(key + "b").acquire();
            Background<Boolean> waiter = Background.start(() -> second.allOf(key + "a", key + "b")
                    .tryAcquire(Duration.ofMillis(300))
                    .isPresent());
            assertThat(waiter.result()).isFalse();
            assertThat(first.lock(key + "a").tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    @Test
    default void interruptAtSecondKeyReleasesFirst() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.lock(key + "b").acquire();
            Background<Lease> waiter =
                    Background.start(() -> second.allOf(key + "a", key + "b").acquire());
            awaitLocked(first.lock(key + "a"));
            waiter.interrupt();
            assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
            assertThat(first.lock(key + "a").tryAcquire()).isPresent();
        }
    }

    @Test
    default void cancelAtSecondKeyReleasesFirst() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease b = first.lock(key + "b").acquire();
            CompletableFuture<Lease> waiter = second.allOf(key + "a", key + "b").acquireAsync();
            awaitLocked(first.lock(key + "a"));
            assertThat(waiter.cancel(true)).isTrue();
            assertThat(first.lock(key + "a").tryAcquire(Duration.ofSeconds(20))).isPresent();
            b.release();
            assertThat(first.lock(key + "b").tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    @Test
    default void closeAtSecondKeyReleasesFirst() throws Exception {
        try (Keyhold first = client().build()) {
            String key = freshKey();
            first.lock(key + "b").acquire();
            CompletableFuture<Lease> waiter;
            try (Keyhold second = client().build()) {
                waiter = second.allOf(key + "a", key + "b").acquireAsync();
                awaitLocked(first.lock(key + "a"));
            }
            assertThatThrownBy(() -> waiter.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(KeyholdClosedException.class);
            assertThat(first.lock(key + "a").tryAcquire()).isPresent();
        }
    }

    @Test
    default void partLostMeanwhileIsAcquiredAgain() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease b = first.lock(key + "b").acquire();
            CompletableFuture<Lease> waiter = second.allOf(key + "a", key + "b").acquireAsync();
            awaitLocked(first.lock(key + "a"));
            removeForeign(key + "a");
            b.release();
            assertThat(waiter.get(60, TimeUnit.SECONDS).isHeldOnServer()).isTrue();
            assertThat(first.lock(key + "a").isLocked()).isTrue();
        }
    }

    @Test
    default void contendedKeysNeitherDeadlockNorOverlap() throws Exception {
        String key = freshKey();
        Map<String, Ledger> ledgers = Map.of(key + "a", new Ledger(), key + "b", new Ledger(), key + "c", new Ledger());
        LockOptions lease = LockOptions.builder().lease(Duration.ofSeconds(30)).build();
        ExecutorService executor = TestThreads.executor();
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Keyhold keyhold = i % 2 == 0 ? first : second;
                Random random = new Random(i);
                work.add(executor.submit(() -> {
                    for (int entry = 0; entry < 15; entry++) {
                        List<String> keys = new ArrayList<>(ledgers.keySet());
                        Collections.shuffle(keys, random);
                        List<String> some = keys.subList(0, 1 + random.nextInt(3));
                        DistributedLock lock = some.size() == 1 && random.nextBoolean()
                                ? keyhold.lock(some.get(0), lease)
                                : keyhold.allOf(some, lease);
                        lock.run(held -> some.forEach(
                                one -> Objects.requireNonNull(ledgers.get(one)).enter(held)));
                    }
                    return null;
                }));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            assertThat(first.allOf(ledgers.keySet(), lease).tryAcquire()).isPresent();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // Callers without a checker pass null.
    default void badKeysAreRefusedBeforeSending() {
        Keyhold closed = client().build();
        closed.close();
        refused(() -> closed.allOf("a", "b", "a"), "keys must differ", "'a'");
        refused(closed::allOf, "keys must be 1 to 1000", "were 0");
        List<String> many = IntStream.range(0, 1001).mapToObj(i -> "key" + i).toList();
        refused(() -> closed.allOf(many, LockOptions.defaults()), "keys must be 1 to 1000", "were 1001");
        refused(() -> closed.allOf("a", ""), "key must have 1 to 1000", "''");
        refused(() -> closed.allOf("a", "b:kh:c"), "b:kh:c");
        missing(() -> closed.allOf((String[]) null), "keys must not be null");
        missing(() -> closed.allOf("a", null), "keys[1] must not be null");
        missing(() -> closed.allOf(Arrays.asList("a", "b"), null), "options must not be null");
    }

    private static void missing(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(message);
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(words);
    }

    private static void awaitLocked(DistributedLock lock) {
        while (!lock.isLocked()) {
            if (Thread.interrupted()) { // The time limit of a test interrupts it.
                throw new AssertionError("not acquired: " + lock);
            }
        }
    }
}
