package io.keyhold.testkit.lock;

import static io.keyhold.testkit.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Giving a lock back, and knowing who has it. */
public interface ReleaseContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void releaseTellsWhetherItWasOurs(LockFace face) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            Lease lease = face.acquire(freshLock(keyhold));
            assertThat(face.release(lease)).isTrue();
            assertThat(face.release(lease)).isFalse();
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.isOwned()).isFalse();
            assertThat(lease.remaining()).isZero();
        }
    }

    @Test
    default void closeReleasesAndIsHarmlessTwice() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Lease lease = lock.acquire();
            lease.close();
            lease.close();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    default void isLockedTellsOfAnyHolder() throws InterruptedException {
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
    default void isOwnedAsksWhileIsHeldRemembers() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            Lease lease = lock.acquire();
            removeForeign(key);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.isOwned()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(LockFace.class)
    default void anExpiredHoldersReleaseLeavesTheNextHolderAlone(LockFace face) throws Exception {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease expired = face.acquire(lock(
                    first,
                    key,
                    LockOptions.builder().lease(Duration.ofMillis(50)).build()));
            Lease next = face.acquire(lock(second, key));
            assertThat(face.release(expired)).isFalse();
            assertThat(next.isOwned()).isTrue();
            assertThat(next.fencingToken()).isGreaterThan(expired.fencingToken());
        }
    }

    @Test
    default void callAnswersWhatTheWorkAnswers() throws Exception {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            Callable<Boolean> work = lock::isLocked;
            assertThat(lock.call(work)).isTrue();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    default void workThatThrowsReleasesAllTheSame() {
        try (Keyhold keyhold = client().build()) {
            DistributedLock lock = freshLock(keyhold);
            assertThatThrownBy(() -> lock.call(() -> {
                        throw new IOException("the work failed");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the work failed")
                    .hasNoSuppressedExceptions();
            Runnable broken = () -> {
                throw new AssertionError("an error too");
            };
            assertThatThrownBy(() -> lock.run(broken)).isInstanceOf(AssertionError.class);
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    default void releaseWorksWithThePendingInterruptKept() throws InterruptedException {
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
