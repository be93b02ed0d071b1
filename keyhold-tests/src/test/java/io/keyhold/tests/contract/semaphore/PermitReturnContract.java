package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.tests.contract.lock.ApiStyle;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Releasing permits: each returns once, however often and by whichever client it is released. */
public interface PermitReturnContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void releasingTwiceAddsNoPermit(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            Lease kept = style.acquire(semaphore);
            Lease lease = style.acquire(semaphore);
            assertThat(style.release(lease)).isTrue();
            assertThat(style.release(lease)).isFalse();
            assertThat(semaphore.release(lease.token())).isFalse();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            PermitCount.assertFree(semaphore, 1);
            assertThat(style.release(kept)).isTrue();
            PermitCount.assertFree(semaphore, 2);
        }
    }

    @Test
    default void anyClientMayReleaseByToken() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.semaphore(key, 2).acquire();
            Lease kept = first.semaphore(key, 2).acquire();
            assertThat(second.semaphore(key, 2).release(lease.token())).isTrue();
            assertThat(second.semaphore(key, 2).release(lease.token())).isFalse();
            assertThat(lease.isHeldOnServer()).isFalse();
            assertThat(lease.release()).isFalse();
            assertThat(kept.isHeldOnServer()).isTrue();
            PermitCount.assertFree(second.semaphore(key, 2), 1);
        }
    }

    @Test
    default void unknownTokenAddsNoPermit() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            assertThat(semaphore.release("unknown"))
                    .as("of an unused semaphore")
                    .isFalse();
            Lease kept = semaphore.acquire();
            assertThat(semaphore.release("unknown")).isFalse();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            PermitCount.assertFree(semaphore, 1);
            assertThat(kept.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void releasingExpiredPermitAddsNone() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease expired = first.semaphore(key, 1)
                    .with(options -> options.lease(Duration.ofMillis(40)))
                    .acquire();
            Lease next = second.semaphore(key, 1).acquire();
            assertThat(first.semaphore(key, 1).release(expired.token())).isFalse();
            assertThat(expired.release()).isFalse();
            assertThat(next.isHeldOnServer()).isTrue();
            assertThat(first.semaphore(key, 1).tryAcquire()).isEmpty();
        }
    }
}
