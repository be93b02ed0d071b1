package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.SemaphoreOptions;
import io.keyhold.tests.contract.lock.ApiStyle;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The number of permits: the first client sets it. */
public interface LimitContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void differentLimitIsRefused(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.semaphore(key, 3).acquire();
            DistributedSemaphore other = second.semaphore(key, 17);
            assertThatThrownBy(() -> style.acquire(other))
                    .isInstanceOfSatisfying(
                            SemaphoreLimitException.class,
                            refusal -> assertThat(refusal.permits()).isEqualTo(3))
                    .hasMessageContainingAll(key, "3 permits", "17");
            assertThatThrownBy(() -> style.tryAcquire(other)).isInstanceOf(SemaphoreLimitException.class);
            assertThatThrownBy(() -> style.tryAcquire(other, Duration.ofSeconds(20)))
                    .isInstanceOf(SemaphoreLimitException.class);
            lease.release();
            PermitCount.assertFree(first.semaphore(key, 3), 3);
        }
    }

    @Test
    default void limitOutlivesLastHolder() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(key, 3).acquire().release();
            assertThatThrownBy(() -> second.semaphore(key, 17).tryAcquire())
                    .isInstanceOf(SemaphoreLimitException.class);
            assertThat(second.semaphore(key, 17).availablePermits()).isEqualTo(3);
        }
    }

    @Test
    default void joinExistingAcceptsLimit() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease held = first.semaphore(key, 2).acquire();
            DistributedSemaphore joined = second.semaphore(
                    key, SemaphoreOptions.builder().permits(17).joinExisting().build());
            assertThat(joined.tryAcquire()).isPresent();
            assertThat(joined.tryAcquire()).as("a third, of two").isEmpty();
            assertThat(joined.availablePermits()).isZero();
            assertThat(held.release()).isTrue();
            assertThat(first.semaphore(key, 2).availablePermits()).isEqualTo(1);
        }
    }

    @Test
    default void joinExistingSetsLimitIfAbsent() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            first.semaphore(
                            key,
                            SemaphoreOptions.builder().permits(2).joinExisting().build())
                    .acquire();
            assertThat(second.semaphore(key, 2).availablePermits()).isEqualTo(1);
            assertThatThrownBy(() -> second.semaphore(key, 3).tryAcquire()).isInstanceOf(SemaphoreLimitException.class);
        }
    }
}
