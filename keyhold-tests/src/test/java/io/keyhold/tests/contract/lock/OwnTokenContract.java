package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockHolder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that the caller chooses, for stores that accept them: a quorum does not. */
public interface OwnTokenContract extends StoreUnderTest {

    /** The session that seed 003 shows, for its transactions and for its scripts. */
    @Test
    default void acquireAndReleaseByKeyTimeoutAndUid() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock moto = lock(
                    keyhold,
                    key,
                    LockOptions.builder()
                            .lease(Duration.ofSeconds(10086))
                            .token("moto")
                            .build());
            DistributedLock nokia = lock(
                    keyhold,
                    key,
                    LockOptions.builder()
                            .lease(Duration.ofSeconds(123))
                            .token("nokia")
                            .build());
            assertThat(moto.tryAcquire().orElseThrow().detach().token()).isEqualTo("moto");
            assertThat(nokia.tryAcquire()).isEmpty();
            assertThat(nokia.release("nokia")).isFalse();
            assertThat(moto.release("moto")).isTrue();
            assertThat(moto.release("moto")).as("a free lock").isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void acquireWithTokenOfHolderIsSameHold(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            LockOptions mine = LockOptions.builder().token("uid-1").build();
            Lease lease = style.acquire(lock(first, key, mine));
            Lease again = style.tryAcquire(lock(second, key, mine)).orElseThrow();
            assertThat(again.fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(again.token()).isEqualTo("uid-1");
        }
    }

    @Test
    default void holdWithOwnTokenIsNotForeign() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            Lease lease = keyhold.lock(key, LockOptions.builder().token("moto").build())
                    .acquire();
            LockHolder shown = keyhold.inspect().lock(key).holder().orElseThrow();
            assertThat(shown.token()).isEqualTo("moto");
            assertThat(shown.foreign()).isFalse();
            assertThat(shown.clientName()).isEmpty();
            assertThat(shown.fencingToken()).hasValue(lease.fencingToken());
        }
    }

    /** The value of a lock has two numbers behind the token, and a user may choose a token that ends in numbers, too. */
    @Test
    default void tokenThatEndsInNumbersIsNoOtherToken() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            String key = freshKey();
            DistributedLock moto =
                    lock(keyhold, key, LockOptions.builder().token("moto").build());
            DistributedLock numbered =
                    lock(keyhold, key, LockOptions.builder().token("moto 1 2").build());
            moto.acquire().detach();
            assertThat(numbered.release("moto 1 2")).isFalse();
            assertThat(moto.release("moto")).isTrue();
            numbered.acquire().detach();
            assertThat(moto.release("moto")).isFalse();
            assertThat(numbered.release("moto 1 2")).isTrue();
            assertThat(moto.isLocked()).isFalse();
        }
    }

    /** Keyhold's own tokens end like these after a local hand-over, and a user may choose the same form. */
    @ParameterizedTest
    @ValueSource(strings = {"uid/3", "app@host:1:0123456789abcdef0123456789abcdef.7/3"})
    default void tokenThatEndsLikeHandOverIsReleased(String token) throws InterruptedException {
        try (Keyhold keyhold = client().build();
                Keyhold other = client().build()) {
            String key = freshKey();
            LockOptions mine = LockOptions.builder()
                    .lease(Duration.ofMinutes(10))
                    .renew(true)
                    .token(token)
                    .build();
            assertThat(lock(keyhold, key, mine).acquire().detach().token()).isEqualTo(token);
            assertThat(lock(other, key).release(token)).isTrue();
            assertThat(lock(keyhold, key).isLocked()).isFalse();
            assertThat(lock(other, key).release(token)).isFalse();
            assertThat(lock(keyhold, key, mine).acquire().handOff()).isEqualTo(token);
            Lease adopted = lock(other, key, mine).adopt(token);
            assertThat(adopted.isHeldOnServer()).isTrue();
            assertThat(adopted.release()).isTrue();
            assertThat(lock(keyhold, key).isLocked()).isFalse();
        }
    }
}
