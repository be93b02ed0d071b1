package io.keyhold.tests.contract.semaphore;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.SemaphoreOptions;
import io.keyhold.tests.contract.lock.ApiStyle;
import io.keyhold.tests.contract.lock.Renewed;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holding a permit: renewal, expiry, loss, hand-over, and the end of the client. */
public interface PermitLeaseContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void renewalProlongsPermit(ApiStyle style) throws InterruptedException {
        undisturbed(() -> {
            try (Keyhold first = client().build();
                    Keyhold second = client().build()) {
                String key = freshKey();
                Lease lease = style.acquire(first.semaphore(key, renewed()));
                Renewed.await(second, key);
                assertThat(style.tryAcquire(second.semaphore(key, 1))).isEmpty();
                assertThat(lease.isHeld()).isTrue();
                assertThat(style.release(lease)).isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void endOfFixedLeaseIsReported(ApiStyle style) throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            CompletableFuture<LeaseLost> heard = new CompletableFuture<>();
            DistributedSemaphore semaphore = keyhold.semaphore(
                    key,
                    SemaphoreOptions.builder()
                            .lease(Duration.ofMillis(50))
                            .onLost(heard::complete)
                            .build());
            Lease lease = style.acquire(semaphore);
            LeaseLost loss = await(lease);
            assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
            assertThat(loss.key()).isEqualTo(key);
            assertThat(heard.get(20, TimeUnit.SECONDS)).isEqualTo(loss);
            assertThat(lease.isHeld()).isFalse();
            assertThat(style.acquire(semaphore).fencingToken()).isGreaterThan(lease.fencingToken());
        }
    }

    @Test
    default void lostPermitIsReportedAtNextRenewal() throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build();
                    Keyhold operator = client().build()) {
                DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), renewed());
                Lease lease = semaphore.acquire();
                assertThat(operator.inspect().forceRelease(semaphore.key())).isTrue();
                LeaseLost loss = await(lease);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.GONE);
                assertThat(loss.token()).isEqualTo(lease.token());
                assertThat(lease.isHeld()).isFalse();
                assertThat(lease.release()).isFalse();
                assertThat(semaphore.availablePermits()).isEqualTo(1);
            }
        });
    }

    @Test
    default void lossOfPermitInterruptsHolderIfConfigured() throws Exception {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(
                    freshKey(),
                    SemaphoreOptions.builder()
                            .lease(Duration.ofMillis(50))
                            .interruptOnLoss(true)
                            .build());
            Lease lease = semaphore.acquire();
            assertThatThrownBy(() -> new CountDownLatch(1).await()).isInstanceOf(InterruptedException.class);
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Test
    default void runReportsLossOfPermitDuringWork() {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(
                    freshKey(),
                    SemaphoreOptions.builder().lease(Duration.ofMillis(30)).build());
            assertThatThrownBy(() -> semaphore.run(lease -> {
                        lease.lost()
                                .toCompletableFuture()
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join();
                    }))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining(semaphore.key());
        }
    }

    @Test
    default void extendProlongsPermit() throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.semaphore(key, 1)
                    .with(options -> options.lease(Duration.ofSeconds(20)))
                    .acquire();
            assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(30));
            assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(30));
            second.semaphore(key, 1).release(lease.token());
            assertThat(lease.extend(Duration.ofSeconds(60))).isFalse();
            assertThat(await(lease).reason()).isEqualTo(LeaseLost.Reason.GONE);
        }
    }

    @Test
    default void permitIsHandedOffAndAdopted() throws InterruptedException {
        String key = freshKey();
        try (Keyhold second = client().build()) {
            Lease adopted;
            try (Keyhold first = client().build()) {
                Lease lease = first.semaphore(key, 2).acquire();
                String token = lease.handOff();
                assertThat(lease.isHeld()).isFalse();
                assertThat(lease.release()).isFalse();
                adopted = second.semaphore(key, 2).adopt(token);
                assertThat(adopted.fencingToken()).isEqualTo(lease.fencingToken());
            }
            assertThat(adopted.isHeldOnServer())
                    .as("closing the first client does not release it")
                    .isTrue();
            assertThat(second.semaphore(key, 2).availablePermits()).isEqualTo(1);
            assertThat(adopted.release()).isTrue();
            PermitCount.assertFree(second.semaphore(key, 2), 2);
        }
    }

    @Test
    default void adoptOfPermitRequiresHoldingToken() {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            assertThatThrownBy(() -> semaphore.adopt("unknown"))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContainingAll(semaphore.key(), "unknown");
            assertThat(semaphore.availablePermits()).isEqualTo(2);
        }
    }

    @Test
    default void closeReturnsAllPermits() throws InterruptedException {
        try (Keyhold other = client().build()) {
            String key = freshKey();
            Keyhold keyhold = client().build();
            for (int i = 0; i < 20; i++) {
                keyhold.semaphore(key, 50).acquire();
            }
            Lease kept = other.semaphore(key, 50).acquire();
            keyhold.close();
            assertThat(other.semaphore(key, 50).availablePermits()).isEqualTo(49);
            assertThat(kept.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void closeFailsPendingPermitRequests() throws Exception {
        try (Keyhold holder = client().build()) {
            String key = freshKey();
            Lease held = holder.semaphore(key, 1).acquire();
            Keyhold keyhold = client().build();
            CompletableFuture<Lease> waiter = keyhold.semaphore(key, 1).acquireAsync();
            keyhold.close();
            assertThatThrownBy(() -> waiter.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(KeyholdClosedException.class)
                    .hasMessageContaining(key);
            held.release();
            PermitCount.assertFree(holder.semaphore(key, 1), 1);
        }
    }

    private static SemaphoreOptions renewed() {
        return SemaphoreOptions.builder().lease(Renewed.LEASE).renew(true).build();
    }

    private static LeaseLost await(Lease lease) throws Exception {
        return lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
