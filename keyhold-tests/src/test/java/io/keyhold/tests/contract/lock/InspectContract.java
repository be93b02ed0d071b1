package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LocalHolder;
import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.inspect.LocalWaiter;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link Keyhold#inspect()}. */
public interface InspectContract extends StoreUnderTest {

    @Test
    default void holderIsShownInFull() throws InterruptedException {
        try (Keyhold holder = client().clientName("billing").build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            LockSnapshot free = operator.inspect().lock(key);
            assertThat(free)
                    .isEqualTo(new LockSnapshot(key, LockKind.LOCK, List.of(), 0, 1, 1, List.of(), 0, free.nodes()));
            assertThat(free.nodes())
                    .hasSize(nodes())
                    .allMatch(node -> node.holder().isEmpty() && node.error().isEmpty());
            Lease lease = holder.lock(key).acquire();
            LockSnapshot snapshot = operator.inspect().lock(key);
            assertThat(snapshot.isHeld()).isTrue();
            LockHolder shown = snapshot.holder().orElseThrow();
            assertThat(shown.token()).isEqualTo(lease.token());
            assertThat(shown.foreign()).isFalse();
            assertThat(shown.clientName()).contains("billing");
            assertThat(shown.host()).isPresent();
            assertThat(shown.processId()).hasValue(ProcessHandle.current().pid());
            assertThat(shown.fencingToken()).hasValue(lease.fencingToken());
            assertThat(shown.heldSince())
                    .hasValueSatisfying(since -> assertThat(since)
                            .isBetween(
                                    Instant.now().minusSeconds(60),
                                    Instant.now().plusSeconds(60)));
            assertThat(shown.remaining())
                    .hasValueSatisfying(
                            left -> assertThat(left).isPositive().isLessThanOrEqualTo(LockOptions.DEFAULT_LEASE));
        }
    }

    @Test
    default void locksAreListedByPattern() throws InterruptedException {
        String prefix = freshKey() + "[*]:";
        try (Keyhold keyhold = client().keyPrefix(prefix).build();
                Keyhold elsewhere = client().build()) {
            List<String> invoices = new ArrayList<>();
            for (int i = 100; i < 120; i++) {
                keyhold.lock("invoice:" + i).acquire();
                invoices.add("invoice:" + i);
            }
            keyhold.lock("other").acquire();
            keyhold.lock("invoice:released").acquire().release();
            awaitFreeOnAllNodes(keyhold, "invoice:released");
            elsewhere.lock(freshKey()).acquire();
            assertThat(keyhold.inspect().list("invoice:*"))
                    .extracting(LockSnapshot::key)
                    .containsExactlyElementsOf(invoices);
            assertThat(keyhold.inspect().list("*")).hasSize(21);
            assertThat(keyhold.inspect().list("invoice:10[12]"))
                    .extracting(LockSnapshot::key)
                    .containsExactly("invoice:101", "invoice:102");
            assertThat(keyhold.inspect().list("nothing?")).isEmpty();
        }
    }

    /** A release on a quorum returns when a majority has replied, and a lock is listed while any node has it. */
    private static void awaitFreeOnAllNodes(Keyhold keyhold, String key) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!keyhold.inspect().lock(key).nodes().stream()
                .allMatch(node -> node.holder().isEmpty() && node.error().isEmpty())) {
            assertThat(System.nanoTime()).as("released within a minute").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Test
    default void localViewShowsHoldsAndWaiters() throws Exception {
        try (Keyhold keyhold = client().keyPrefix("prefix:").build()) {
            String key = freshKey();
            Lease held = keyhold.lock(key).acquire();
            CompletableFuture<Lease> first = keyhold.lock(key).acquireAsync();
            CompletableFuture<Lease> second = keyhold.lock(key).acquireAsync();
            LocalSnapshot shown = keyhold.inspect().local().get(0);
            assertThat(shown.key()).isEqualTo(key);
            assertThat(shown.kind()).isEqualTo(LockKind.LOCK);
            assertThat(shown.holders()).extracting(LocalHolder::fencingToken).containsExactly(held.fencingToken());
            assertThat(shown.holders())
                    .extracting(LocalHolder::thread)
                    .containsExactly(Optional.of(Thread.currentThread().getName()));
            assertThat(shown.waiters())
                    .extracting(LocalWaiter::state)
                    .containsExactly(LocalWaiter.State.LOCAL_QUEUE, LocalWaiter.State.LOCAL_QUEUE);
            assertThat(shown.waiters())
                    .extracting(LocalWaiter::ahead)
                    .containsExactly(OptionalInt.of(0), OptionalInt.of(1));
            held.release();
            first.get(60, TimeUnit.SECONDS).release();
            second.get(60, TimeUnit.SECONDS).release();
            assertThat(keyhold.inspect().local()).isEmpty();
        }
    }

    @Test
    default void forceReleaseEndsAnyHold() throws InterruptedException {
        try (Keyhold holder = client().build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            assertThat(operator.inspect().forceRelease(key)).isFalse();
            Lease lease = holder.lock(
                            key,
                            LockOptions.builder().lease(Duration.ofMinutes(5)).build())
                    .acquire();
            assertThat(operator.inspect().forceRelease(key)).isTrue();
            assertThat(lease.isHeldOnServer()).isFalse();
            assertThat(lease.release()).isFalse();
            assertThat(operator.lock(key).tryAcquire()).isPresent();
        }
    }

    @Test
    default void forceReleaseByTokenSparesNextHolder() throws InterruptedException {
        try (Keyhold holder = client().build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            assertThat(operator.inspect().forceRelease(key, "unknown")).isFalse();
            holder.lock(key).acquire();
            String seen = operator.inspect().lock(key).holder().orElseThrow().token();
            assertThat(operator.inspect().forceRelease(key, seen)).isTrue();
            Lease next = operator.lock(key).acquire();
            assertThat(operator.inspect().forceRelease(key, seen)).isFalse();
            assertThat(next.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void forceReleaseEndsRest() throws InterruptedException {
        try (Keyhold holder = client().build();
                Keyhold operator = client().build()) {
            String key = freshKey();
            Lease lease = holder.lock(key).acquire();
            lease.releaseAfter(Duration.ofMinutes(5));
            String seen = operator.inspect().lock(key).holder().orElseThrow().token();
            assertThat(operator.inspect().forceRelease(key, lease.token())).isFalse();
            assertThat(operator.inspect().forceRelease(key, seen)).isTrue();
            holder.lock(key).acquireAsync().join().releaseAfter(Duration.ofMinutes(5));
            assertThat(operator.inspect().forceRelease(key)).isTrue();
            assertThat(operator.lock(key).isLocked()).isFalse();
        }
    }

    @Test
    default void forceReleaseByTokenEndsForeignHolds() {
        try (Keyhold operator = client().build()) {
            String key = freshKey();
            putForeign(key, "foreign token", Duration.ofMinutes(5));
            assertThat(operator.inspect().forceRelease(key, "other token")).isFalse();
            assertThat(operator.inspect().forceRelease(key, "foreign token")).isTrue();
            assertThat(operator.lock(key).isLocked()).isFalse();
        }
    }

    @Test
    default void fencingTokensGrowAcrossForceRelease() throws InterruptedException {
        try (Keyhold keyhold = client().build();
                Keyhold other = client().build()) {
            String key = freshKey();
            Lease robbed = keyhold.lock(key).acquire();
            other.inspect().forceRelease(key);
            assertThat(other.lock(key).acquire().fencingToken()).isGreaterThan(robbed.fencingToken());
        }
    }
}
