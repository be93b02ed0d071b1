package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Local hand-over, for locks and stores that support it. */
public interface LocalHandOverContract extends StoreUnderTest {

    /** So long that no lease ends during a test: each grant follows a release. */
    LockOptions BATCHED = LockOptions.builder()
            .lease(Duration.ofMinutes(10))
            .renew(true)
            .fairness(Fairness.BATCHED)
            .maxLocalTime(Duration.ofMinutes(1))
            .build();

    @Test
    default void fencingTokensGrowAcrossLocalHandOvers() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease held = lock(keyhold, key, BATCHED).acquire();
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiters.add(lock(keyhold, key, BATCHED).acquireAsync());
            }
            assertThat(keyhold.inspect().lock(key).waiterCount())
                    .as("they wait in the local queue")
                    .isZero();
            Lease last = held;
            for (CompletableFuture<Lease> waiter : waiters) {
                assertThat(last.release()).isTrue();
                assertThat(waiter.get().fencingToken()).isEqualTo(last.fencingToken() + 1);
                last = waiter.get();
            }
            assertThat(last.isHeldOnServer()).isTrue();
            long fencingToken = last.fencingToken();
            assertThat(last.release()).isTrue();
            assertThat(lock(keyhold, key).acquire().fencingToken()).isGreaterThan(fencingToken);
        }
    }

    @Test
    default void listenerIsToldOfLocalHandOverInOrder() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            String key = freshKey();
            Lease held = lock(keyhold, key, BATCHED).acquire();
            CompletableFuture<Lease> next = lock(keyhold, key, BATCHED).acquireAsync();
            held.release();
            next.get().release();
            log.awaitEnd(2);
            assertThat(log.holds()).containsExactly("1 granted", "1 ended: RELEASED", "2 granted", "2 ended: RELEASED");
            assertThat(log.grant(2).path()).isEqualTo(KeyholdListener.Granted.Path.LOCAL);
        }
    }

    @Test
    default void adoptAndReleaseByTokenAfterHandOver() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = lock(first, key, BATCHED).acquire();
            CompletableFuture<Lease> handedOver = lock(first, key, BATCHED).acquireAsync();
            held.release();
            String token = handedOver.get().handOff();
            Lease adopted = lock(second, key).adopt(token);
            assertThat(adopted.fencingToken()).isEqualTo(handedOver.get().fencingToken());
            assertThat(lock(first, key).release(token)).isTrue();
            assertThat(adopted.isHeldOnServer()).isFalse();
        }
    }

    @Test
    default void earlierTokenNeverReleasesLaterHold() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = lock(first, key, BATCHED).acquire();
            String token = held.token();
            CompletableFuture<Lease> next = lock(first, key, BATCHED).acquireAsync();
            held.release();
            Lease later = next.get();
            assertThat(lock(second, key).release(token)).isFalse();
            assertThat(later.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void tokenReadAfterHandOverReleasesNothing() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease held = lock(keyhold, key, BATCHED).acquire();
            CompletableFuture<Lease> next = lock(keyhold, key, BATCHED).acquireAsync();
            held.release();
            Lease later = next.get();
            assertThat(later.fencingToken()).as("local hand-over").isEqualTo(held.fencingToken() + 1);
            assertThat(lock(keyhold, key).release(held.token())).isFalse();
            assertThat(held.isHeldOnServer()).isFalse();
            assertThat(later.isHeldOnServer()).isTrue();
        }
    }
}
