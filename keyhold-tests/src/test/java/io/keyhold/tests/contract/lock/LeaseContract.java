package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holding a lock: renewal, expiry and loss. */
public interface LeaseContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void renewalProlongsLease(ApiStyle style) throws InterruptedException {
        undisturbed(() -> {
            try (Keyhold first = client().build();
                    Keyhold second = client().build()) {
                String key = freshKey();
                Lease lease = style.acquire(lock(first, key, renewed()));
                Renewed.await(second, key);
                assertThat(style.tryAcquire(lock(second, key))).isEmpty();
                assertThat(lease.isHeld()).isTrue();
                assertThat(lease.isHeldOnServer()).isTrue();
                assertThat(style.release(lease)).isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void endOfFixedLeaseIsReported(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            CompletableFuture<LeaseLost> heard = new CompletableFuture<>();
            Lease lease = style.acquire(lock(
                    first,
                    key,
                    LockOptions.builder()
                            .lease(Duration.ofMillis(50))
                            .onLost(heard::complete)
                            .build()));
            LeaseLost loss = await(lease);
            assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
            assertThat(loss.key()).isEqualTo(lease.key());
            assertThat(loss.token()).isEqualTo(lease.token());
            assertThat(loss.fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(heard.get(10, TimeUnit.SECONDS)).isEqualTo(loss);
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.remaining()).isZero();
            assertThat(style.acquire(lock(second, key)).isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void deletedKeyIsReportedAtNextRenewal(ApiStyle style) throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build()) {
                String key = freshKey();
                DistributedLock lock = lock(keyhold, key, renewed());
                Lease lease = style.acquire(lock);
                removeForeign(key);
                assertThat(await(lease).reason()).isEqualTo(LeaseLost.Reason.GONE);
                assertThat(lease.isHeld()).isFalse();
                assertThat(style.release(lease)).isFalse();
                assertThat(keyhold.inspect().lock(key).isHeld())
                        .as("a renewal must never create the key")
                        .isFalse();
            }
        });
    }

    @Test
    default void lossInterruptsHolderIfConfigured() throws Exception {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = lock(
                    keyhold,
                    freshKey(),
                    LockOptions.builder()
                            .lease(Duration.ofMillis(50))
                            .interruptOnLoss(true)
                            .build());
            Lease lease = lock.acquire();
            assertThatThrownBy(() -> new CountDownLatch(1).await()).isInstanceOf(InterruptedException.class);
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Test
    default void runReportsLossDuringWork() {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(
                    keyhold,
                    key,
                    LockOptions.builder().lease(Duration.ofMillis(30)).build());
            assertThatThrownBy(() -> lock.run(lease -> {
                        awaitUnchecked(lease);
                    }))
                    .isInstanceOfSatisfying(
                            LeaseLostException.class,
                            lost -> assertThat(lost.loss().reason()).isEqualTo(LeaseLost.Reason.EXPIRED))
                    .hasMessageContaining(key);
        }
    }

    @Test
    default void failedWorkSuppressesLoss() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = lock(
                    keyhold,
                    freshKey(),
                    LockOptions.builder().lease(Duration.ofMillis(30)).build());
            assertThatThrownBy(() -> lock.run(lease -> {
                        awaitUnchecked(lease);
                        throw new IllegalStateException("the work failed");
                    }))
                    .hasMessage("the work failed")
                    .satisfies(thrown ->
                            assertThat(thrown.getSuppressed()).hasOnlyElementsOfType(LeaseLostException.class));
        }
    }

    @Test
    default void closeReportsLossOnce() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease lease = lock(
                            keyhold,
                            key,
                            LockOptions.builder().lease(Duration.ofMillis(30)).build())
                    .acquire();
            await(lease);
            assertThat(lease.release()).isFalse();
            assertThatThrownBy(lease::close)
                    .isInstanceOfSatisfying(
                            LeaseLostException.class,
                            lost -> assertThat(lost.loss().reason()).isEqualTo(LeaseLost.Reason.EXPIRED))
                    .hasMessageContaining(key);
            lease.close();
        }
    }

    @Test
    default void failedBlockSuppressesLoss() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = lock(
                    keyhold,
                    freshKey(),
                    LockOptions.builder().lease(Duration.ofMillis(30)).build());
            assertThatThrownBy(() -> {
                        try (Lease lease = lock.acquire()) {
                            awaitUnchecked(lease);
                            throw new IllegalStateException("the work failed");
                        }
                    })
                    .hasMessage("the work failed")
                    .satisfies(thrown ->
                            assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class));
        }
    }

    @Test
    default void lossInterruptDoesNotOutliveRun() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = lock(
                    keyhold,
                    freshKey(),
                    LockOptions.builder()
                            .lease(Duration.ofMillis(30))
                            .interruptOnLoss(true)
                            .build());
            assertThatThrownBy(() -> lock.run(lease -> {
                        while (!Thread.currentThread().isInterrupted()) {
                            Thread.onSpinWait();
                        }
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    default void extendProlongsLease() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(
                    keyhold,
                    key,
                    LockOptions.builder().lease(Duration.ofSeconds(20)).build());
            Lease lease = lock.acquire();
            assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(30));
            assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(30));
            assertThat(keyhold.inspect().lock(key).holder().orElseThrow().remaining())
                    .hasValueSatisfying(left -> assertThat(left).isGreaterThan(Duration.ofSeconds(30)));
        }
    }

    @Test
    default void extendOfLostLeaseReportsLoss() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lease lease = lock.acquire();
            removeForeign(key);
            assertThat(lease.extend(Duration.ofSeconds(60))).isFalse();
            assertThat(await(lease).reason()).isEqualTo(LeaseLost.Reason.GONE);
            assertThat(keyhold.inspect().lock(key).isHeld()).isFalse();
        }
    }

    @Test
    default void lossAfterReleaseIsNotReported() throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build()) {
                String key = freshKey();
                DistributedLock lock = lock(keyhold, key, renewed());
                Lease released = lock.acquire();
                assertThat(released.release()).isTrue();
                // Another lease is lost meanwhile, so a report about the first would have arrived by then.
                Lease other = lock.acquire();
                removeForeign(key);
                await(other);
                assertThat(released.lost().toCompletableFuture()).isNotDone();
            }
        });
    }

    private static LockOptions renewed() {
        return LockOptions.builder().lease(Renewed.LEASE).renew(true).build();
    }

    private static LeaseLost await(Lease lease) throws Exception {
        return lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void awaitUnchecked(Lease lease) {
        lease.lost().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
