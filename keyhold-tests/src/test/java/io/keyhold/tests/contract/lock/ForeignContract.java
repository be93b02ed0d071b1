package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Other libraries' locks on the same key: for kinds of locks that other libraries know. */
public interface ForeignContract extends StoreUnderTest {

    @Test
    default void isLockedSeesForeignHolder() {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            putForeign(key, "other-client", null);
            assertThat(lock(keyhold, key).isLocked()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void foreignHolderIsNamedAndWaitedFor(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            putForeign(key, "other-client", null);
            DistributedLock lock = lock(keyhold, key);
            DistributedLock hasty = lock.with(options -> options.maxWait(Duration.ofMillis(20)));
            assertThatThrownBy(() -> style.acquire(hasty))
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContainingAll(key, "held by other-client");
            putForeign(key, "other-client", Duration.ofMillis(100));
            assertThat(style.acquire(lock).isHeldOnServer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void overwrittenKeyIsReportedAndLeftAlone(ApiStyle style) throws Exception {
        undisturbed(() -> {
            try (Keyhold keyhold = client().build()) {
                String key = freshKey();
                DistributedLock lock = lock(
                        keyhold,
                        key,
                        LockOptions.builder().lease(Renewed.LEASE).renew(true).build());
                Lease lease = style.acquire(lock);
                putForeign(key, "thief", null);
                LeaseLost loss = lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.TAKEN);
                assertThat(loss.detail()).contains("thief", key);
                assertThat(style.release(lease)).isFalse();
                assertThat(keyhold.inspect().lock(key).holder().orElseThrow().token())
                        .isEqualTo("thief");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void releaseOfOverwrittenLockReportsLoss(ApiStyle style) throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lease lease = style.acquire(lock);
            putForeign(key, "thief", null);
            assertThat(style.release(lease)).isFalse();
            assertThat(lease.lost()
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS)
                            .detail())
                    .contains("thief");
            assertThat(lock.isLocked()).isTrue();
        }
    }

    @Test
    default void valueWithNumberOfNineteenDigitsIsForeign() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            putForeign(key, "job 1234567890123456789 1", null);
            assertThat(lock.release("job")).isFalse();
            assertThat(lock.isLocked()).isTrue();
        }
    }

    @Test
    default void foreignHoldCanBeAdopted() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lease earlier = lock.acquire();
            earlier.release();
            putForeign(key, "f81d4fae-7dec", Duration.ofSeconds(30));
            Lease adopted = lock.adopt("f81d4fae-7dec");
            assertThat(adopted.fencingToken()).isGreaterThan(earlier.fencingToken());
            assertThat(adopted.release()).isTrue();
            assertThat(lock.isLocked()).isFalse();
        }
    }
}
