package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.CheckedRunnable;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Releasing a lock, and whether it is held. */
public interface ReleaseContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void releaseReturnsWhetherLockWasHeld(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            Lease lease = style.acquire(freshLock(keyhold));
            assertThat(style.release(lease)).isTrue();
            assertThat(style.release(lease)).isFalse();
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.isHeldOnServer()).isFalse();
            assertThat(lease.remaining()).isZero();
        }
    }

    @Test
    default void closeIsIdempotent() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease lease = lock.acquire();
            lease.close();
            lease.close();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    default void isLockedSeesAnyHolder() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            assertThat(lock(first, key).isLocked()).isFalse();
            Lease lease = lock(first, key).acquire();
            assertThat(lock(second, key).isLocked()).isTrue();
            lease.release();
            assertThat(lock(second, key).isLocked()).isFalse();
        }
    }

    @Test
    default void isHeldOnServerAsksAndIsHeldDoesNot() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lease lease = lock.acquire();
            removeForeign(key);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.isHeldOnServer()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void releaseAfterExpirySparesNextHolder(ApiStyle style) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease expired = style.acquire(lock(
                    first,
                    key,
                    LockOptions.builder().lease(Duration.ofMillis(50)).build()));
            Lease next = style.acquire(lock(second, key));
            assertThat(style.release(expired)).isFalse();
            assertThat(next.isHeldOnServer()).isTrue();
            assertThat(next.fencingToken()).isGreaterThan(expired.fencingToken());
        }
    }

    @Test
    default void callReturnsResultOfWork() throws Exception {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            boolean locked = lock.call(lock::isLocked);
            assertThat(locked).isTrue();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    default void failedWorkReleases() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            assertThatThrownBy(() -> lock.call(() -> {
                        throw new IOException("the work failed");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the work failed")
                    .hasNoSuppressedExceptions();
            CheckedRunnable<RuntimeException> broken = () -> {
                throw new AssertionError("an error too");
            };
            assertThatThrownBy(() -> lock.run(broken)).isInstanceOf(AssertionError.class);
            assertThat(lock.isLocked()).isFalse();
        }
    }

    /** Half of this test is that it compiles: each form throws the checked exceptions of its work, and no others. */
    @Test
    default void workMayThrowCheckedException() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            List<String> failures = new ArrayList<>();
            try {
                lock.run(() -> failed("run"));
            } catch (IOException e) {
                failures.add(e.getMessage());
            }
            try {
                lock.run(lease -> failed("run " + lease.isHeld()));
            } catch (IOException e) {
                failures.add(e.getMessage());
            }
            try {
                String ignored = lock.call(() -> failed("call"));
            } catch (IOException e) {
                failures.add(e.getMessage());
            }
            try {
                String ignored = lock.call(lease -> failed("call " + lease.isHeld()));
            } catch (IOException e) {
                failures.add(e.getMessage());
            }
            assertThat(failures).containsExactly("run", "run true", "call", "call true");
            lock.run(() -> failures.clear());
            lock.run(lease -> failures.add(lease.key()));
            int size = lock.call(() -> failures.size());
            String key = lock.call(lease -> lease.key());
            assertThat(size).isEqualTo(1);
            assertThat(failures).containsExactly(key);
            assertThat(lock.isLocked()).isFalse();
        }
    }

    private static String failed(String message) throws IOException {
        throw new IOException(message);
    }

    @Test
    default void releaseKeepsPendingInterrupt() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease lease = lock.acquire();
            Thread.currentThread().interrupt();
            assertThat(lease.release()).isTrue();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(lock.isLocked()).isFalse();
        }
    }
}
