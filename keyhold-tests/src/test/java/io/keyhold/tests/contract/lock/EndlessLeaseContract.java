package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Locks without expiry, for stores that support them: a quorum does not. */
public interface EndlessLeaseContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void lockWithoutExpiryStaysUntilItIsReleased(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock =
                    lock(keyhold, key, LockOptions.builder().noExpiry().build());
            Lease lease = style.acquire(lock);
            assertThat(lease.remaining()).isGreaterThan(Duration.ofDays(30_000));
            assertThat(keyhold.inspect().lock(key).holder().orElseThrow().remaining())
                    .isEmpty();
            assertThat(style.release(lease)).isTrue();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    default void releaseReportsLossWithoutExpiry() throws Exception {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock =
                    lock(keyhold, key, LockOptions.builder().noExpiry().build());
            Lease lease = lock.acquire();
            removeForeign(key);
            assertThat(lease.release()).isFalse();
            assertThat(lease.lost()
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS)
                            .reason())
                    .isEqualTo(LeaseLost.Reason.GONE);
        }
    }

    @Test
    default void adoptWithoutExpiryRemovesServerExpiry() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            String token = lock(first, key).acquire().handOff();
            lock(second, key, LockOptions.builder().noExpiry().build()).adopt(token);
            assertThat(second.inspect().lock(key).holder().orElseThrow().remaining())
                    .isEmpty();
        }
    }
}
