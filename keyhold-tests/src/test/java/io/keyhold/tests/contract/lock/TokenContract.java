package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tokens: the holder of a lock, the order of holds, and holds by token across processes. */
public interface TokenContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void fencingTokensGrowAcrossHoldsAndClients(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            long last = 0;
            for (int i = 0; i < 20; i++) {
                Lease lease = style.acquire(lock(i % 3 == 0 ? second : first, key));
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
                style.release(lease);
            }
        }
    }

    @Test
    default void everyHoldHasItsOwnToken() throws InterruptedException {
        try (Keyhold keyhold = client().clientName("billing").build()) {
            DistributedLock lock = freshLock(keyhold);
            Set<String> tokens = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                Lease lease = lock.acquire();
                assertThat(tokens.add(lease.token())).isTrue();
                assertThat(lease.token())
                        .startsWith("billing@")
                        .contains(":" + ProcessHandle.current().pid() + ":");
                lease.release();
            }
        }
    }

    @Test
    default void anyProcessCanReleaseByToken() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = lock(first, key).acquire();
            assertThat(lock(second, key).release("not-the-token")).isFalse();
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(lock(second, key).release(lease.token())).isTrue();
            assertThat(lock(second, key).isLocked()).isFalse();
        }
    }

    @Test
    default void holdIsHandedOffAndAdopted() throws InterruptedException {
        String key = freshKey();
        try (Keyhold second = client().build()) {
            Lease adopted;
            try (Keyhold first = client().build()) {
                Lease lease = lock(first, key).acquire();
                String token = lease.handOff();
                assertThat(lease.isHeld()).isFalse();
                assertThat(lease.release()).isFalse();
                adopted = lock(second, key).adopt(token);
                assertThat(adopted.fencingToken()).isEqualTo(lease.fencingToken());
            }
            assertThat(adopted.isHeldOnServer())
                    .as("closing the first client does not release it")
                    .isTrue();
            assertThat(adopted.isHeld()).isTrue();
            assertThat(adopted.release()).isTrue();
        }
    }

    @Test
    default void adoptRequiresHoldingToken() throws InterruptedException {
        try (Keyhold keyhold = client().build();
                Keyhold other = client().build()) {
            String key = freshKey();
            DistributedLock lock = lock(keyhold, key);
            assertThatThrownBy(() -> lock.adopt("unknown"))
                    .isInstanceOfSatisfying(
                            LeaseLostException.class,
                            lost -> assertThat(lost.loss().reason()).isEqualTo(LeaseLost.Reason.GONE))
                    .hasMessageContainingAll(key, "unknown");
            assertThat(lock.isLocked()).isFalse();
            Lease held = lock(other, key).acquire();
            assertThatThrownBy(() -> lock.adopt("unknown"))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining(held.token());
        }
    }

    @Test
    default void endedLeaseCannotBeHandedOff() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            Lease lease = freshLock(keyhold).acquire();
            lease.release();
            assertThatThrownBy(lease::handOff).isInstanceOf(LeaseLostException.class);
        }
    }
}
