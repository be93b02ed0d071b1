package io.keyhold.tests.contract.lock;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link Keyhold#close()}. */
public interface ClientCloseContract extends StoreUnderTest {

    @Test
    default void closeReleasesEverythingHeld() throws InterruptedException {
        try (Keyhold other = client().build()) {
            String prefix = freshKey();
            Keyhold keyhold = client().build();
            for (int i = 0; i < 50; i++) {
                lock(keyhold, prefix + i).acquire();
            }
            keyhold.close();
            for (int i = 0; i < 50; i++) {
                assertThat(lock(other, prefix + i).isLocked()).isFalse();
            }
        }
    }

    @Test
    default void closeWaitsForReleasesInFlight() throws InterruptedException {
        try (Keyhold other = client().build()) {
            String prefix = freshKey();
            Keyhold keyhold = client().build();
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                leases.add(lock(keyhold, prefix + i).acquire());
            }
            leases.forEach(Lease::releaseAsync);
            keyhold.close();
            for (int i = 0; i < 100; i++) {
                assertThat(lock(other, prefix + i).isLocked()).isFalse();
            }
        }
    }

    @Test
    default void closeFailsPendingRequests() throws Exception {
        try (Keyhold holder = client().build()) {
            String key = freshKey();
            lock(holder, key).acquire();
            Keyhold keyhold = warm(client());
            CompletableFuture<Lease> future = lock(keyhold, key).acquireAsync();
            Background<Lease> thread = Background.start(() -> lock(keyhold, key).acquire());
            thread.awaitWaiting();
            keyhold.close();
            assertThat(thread.failure())
                    .isInstanceOf(KeyholdClosedException.class)
                    .hasMessageContaining(key);
            assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(KeyholdClosedException.class);
        }
    }

    @Test
    default void closedClientRefusesCalls() throws InterruptedException {
        Keyhold keyhold = client().build();
        DistributedLock lock = lock(keyhold, freshKey());
        Lease lease = lock.acquire();
        keyhold.close();
        keyhold.close();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lock::acquire).isInstanceOf(KeyholdClosedException.class);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(KeyholdClosedException.class);
        assertThatThrownBy(lock::isLocked).isInstanceOf(KeyholdClosedException.class);
        assertThatThrownBy(() -> keyhold.inspect().list("*")).isInstanceOf(KeyholdClosedException.class);
        assertThat(lock.acquireAsync()).isCompletedExceptionally();
        lease.close();
    }
}
