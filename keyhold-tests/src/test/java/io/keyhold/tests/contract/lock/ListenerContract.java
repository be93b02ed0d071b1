package io.keyhold.tests.contract.lock;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static io.keyhold.tests.contract.lock.StoreUnderTest.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.KeyholdListener;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link KeyholdListener}: what it is told of each request, once and in order. */
@SuppressWarnings("LockNotBeforeTry") // The order of lock and unlock is what is tested.
public interface ListenerContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void listenerIsToldOfARequestItsGrantAndItsEnd(ApiStyle style) throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().keyPrefix("prefix:").listener(log).build()) {
            String key = freshKey();
            LockOptions named = LockOptions.builder().name("invoice").build();
            Lease lease = style.acquire(lock(keyhold, key, named));
            style.release(lease);
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: RELEASED");
            assertThat(log.askingThreads()).containsExactly(Thread.currentThread());
            KeyholdListener.Granted granted = log.await(KeyholdListener.Granted.class);
            assertThat(granted.path()).isEqualTo(KeyholdListener.Granted.Path.FREE);
            assertThat(granted.fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(granted.token()).isEqualTo(lease.token());
            assertThat(granted.attempts()).isEqualTo(lease.attempts());
            KeyholdListener.Request request = granted.request();
            assertThat(request.keys()).contains(key);
            assertThat(request.name()).contains("invoice");
            assertThat(request.permits()).isEqualTo(1);
            assertThat(log.entries()).extracting(EventLog.Entry::request).containsOnly(request);
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void listenerIsToldOfAnAttemptThatFails(ApiStyle style) throws Exception {
        EventLog log = new EventLog();
        try (Keyhold holder = client().build();
                Keyhold keyhold = client().listener(log).build()) {
            String key = freshKey();
            lock(holder, key).acquire();
            assertThat(style.tryAcquire(lock(keyhold, key))).isEmpty();
            assertThat(log.awaitEnd(1)).containsExactly("requested", "not granted: BUSY");
            assertThat(style.tryAcquire(lock(keyhold, key), Duration.ofMillis(50)))
                    .isEmpty();
            assertThat(log.awaitEnd(2)).containsExactly("requested", "not granted: TIMED_OUT");
        }
    }

    @Test
    default void listenerIsToldOfAWaitThatIsCancelled() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold holder = client().build();
                Keyhold keyhold = client().listener(log).build()) {
            String key = freshKey();
            Lease held = lock(holder, key).acquire();
            lock(keyhold, key).acquireAsync().cancel(true);
            assertThat(log.awaitEnd(1)).containsExactly("requested", "not granted: CANCELLED");
            held.release();
            lock(keyhold, key).acquire().release();
            log.awaitEnd(2);
            assertThat(log.of(1)).hasSize(2);
        }
    }

    @Test
    default void listenerIsToldOfAWaitThatIsInterrupted() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold holder = client().build();
                Keyhold keyhold = warm(client().listener(log))) {
            String key = freshKey();
            lock(holder, key).acquire();
            Background<Lease> waiter = Background.start(() -> lock(keyhold, key).acquire());
            log.awaitRequest(2);
            waiter.interrupt();
            assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
            assertThat(log.awaitEnd(2)).containsExactly("requested", "not granted: INTERRUPTED");
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void listenerIsToldHowAWaiterWasGranted(ApiStyle style) throws Exception {
        EventLog log = new EventLog();
        try (Keyhold holder = client().build();
                Keyhold keyhold = warm(client().listener(log))) {
            String key = freshKey();
            Lease held = lock(holder, key).acquire();
            Background<Boolean> waiter =
                    Background.start(() -> style.acquire(lock(keyhold, key)).release());
            Waiters.awaitFirstReply(keyhold);
            held.release();
            assertThat(waiter.result()).isTrue();
            assertThat(log.awaitEnd(2)).containsExactly("requested", "granted", "ended: RELEASED");
            assertThat(log.grant(2).path()).isIn(KeyholdListener.Granted.Path.QUEUE, KeyholdListener.Granted.Path.POLL);
        }
    }

    @Test
    default void listenerIsToldOfEachHoldOfOneClientInTurn() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            String key = freshKey();
            // Either may be granted first: they are sent at the same time.
            CompletableFuture.allOf(
                            lock(keyhold, key).acquireAsync().thenCompose(Lease::releaseAsync),
                            lock(keyhold, key).acquireAsync().thenCompose(Lease::releaseAsync))
                    .get(60, TimeUnit.SECONDS);
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: RELEASED");
            assertThat(log.awaitEnd(2)).containsExactly("requested", "granted", "ended: RELEASED");
        }
    }

    @Test
    default void listenerIsToldOfALoss() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            LockOptions brief =
                    LockOptions.builder().lease(Duration.ofMillis(200)).build();
            Lease lease = lock(keyhold, freshKey(), brief).acquire();
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: LOST");
            assertThat(lease.release()).isFalse();
            assertThat(log.await(KeyholdListener.Ended.class).loss().map(LeaseLost::reason))
                    .contains(LeaseLost.Reason.EXPIRED);
            lock(keyhold, freshKey()).acquire().release();
            log.awaitEnd(2);
            assertThat(log.of(1)).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void listenerIsToldOfALossThatTheReleaseFinds(ApiStyle style) throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            String key = freshKey();
            Lease lease = style.acquire(lock(keyhold, key));
            removeForeign(key);
            assertThat(style.release(lease)).isFalse();
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: LOST");
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void listenerIsToldOfARestAsOfARelease(ApiStyle style) throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            style.releaseAfter(style.acquire(lock(keyhold, freshKey())), Duration.ofMillis(1));
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: RELEASED");
        }
    }

    @Test
    default void listenerIsToldOfAHandOffAndItsAdoption() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            DistributedLock lock = freshLock(keyhold);
            String token = lock.acquire().handOff();
            lock.adopt(token).release();
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: HANDED_OFF");
            assertThat(log.awaitEnd(2)).containsExactly("requested", "granted", "ended: RELEASED");
            assertThatThrownBy(() -> lock.adopt(token)).isInstanceOf(LeaseLostException.class);
            assertThat(log.awaitEnd(3)).containsExactly("requested", "not granted: FAILED");
        }
    }

    @Test
    default void listenerIsToldOfThreadOwnedLocksOnce() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            Lock lock = freshLock(keyhold).asLock();
            lock.lock();
            lock.lock();
            lock.unlock();
            lock.unlock();
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: RELEASED");
            assertThat(log.entries()).hasSize(3);
        }
    }

    @Test
    default void listenerIsToldOfWhatCloseEnds() throws Exception {
        EventLog log = new EventLog();
        try (Keyhold holder = client().build()) {
            String key = freshKey();
            lock(holder, key).acquire();
            Keyhold keyhold = client().listener(log).build();
            lock(keyhold, freshKey()).acquire();
            CompletableFuture<Lease> waiter = lock(keyhold, key).acquireAsync();
            keyhold.close();
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: RELEASED");
            assertThat(log.awaitEnd(2)).containsExactly("requested", "not granted: FAILED");
            assertThat(log.await(KeyholdListener.NotGranted.class).failure())
                    .containsInstanceOf(KeyholdClosedException.class);
            assertThat(waiter).failsWithin(Duration.ofSeconds(60));
        }
    }

    @Test
    default void listenerIsToldOfRenewals() throws Exception {
        undisturbed(() -> {
            EventLog log = new EventLog();
            try (Keyhold keyhold = client().listener(log).build()) {
                LockOptions renewed =
                        LockOptions.builder().lease(Renewed.LEASE).renew(true).build();
                lock(keyhold, freshKey(), renewed).acquire();
                KeyholdListener.Renewal renewal = log.awaitRenewal();
                assertThat(renewal.renewed() + renewal.lost() + renewal.unknown())
                        .isEqualTo(1);
                assertThat(renewal.margin()).isPresent();
            }
        });
    }

    @Test
    default void listenerThatBlocksDelaysNothing() throws Exception {
        CountDownLatch opened = new CountDownLatch(1);
        EventLog log = new EventLog();
        KeyholdListener blocked = new KeyholdListener() {
            @Override
            public void granted(Granted event) {
                try {
                    opened.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                log.granted(event);
            }
        };
        try (Keyhold keyhold = client().listener(blocked).build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(lock(keyhold, freshKey()).acquire().release()).isTrue();
                Lease lease = lock(keyhold, freshKey()).acquireAsync().get(60, TimeUnit.SECONDS);
                assertThat(lease.releaseAsync().get(60, TimeUnit.SECONDS)).isTrue();
            }
            LockOptions brief =
                    LockOptions.builder().lease(Duration.ofMillis(200)).build();
            Lease lost = lock(keyhold, freshKey(), brief).acquire();
            lost.lost().toCompletableFuture().get(60, TimeUnit.SECONDS);
            assertThat(log.entries()).isEmpty();
            opened.countDown();
            log.awaitCount(21);
        } finally {
            opened.countDown();
        }
    }

    @Test
    default void throwingListenerHarmsNeitherCallsNorListeners() throws Exception {
        EventLog log = new EventLog();
        KeyholdListener throwing = new KeyholdListener() {
            @Override
            public void requested(Request request) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void granted(Granted event) {
                throw new IllegalStateException("on purpose");
            }
        };
        try (Keyhold keyhold = client().listener(throwing).listener(log).build()) {
            Optional<Lease> lease = freshLock(keyhold).tryAcquire();
            assertThat(lease.orElseThrow().release()).isTrue();
            assertThat(log.awaitEnd(1)).isEqualTo(List.of("requested", "granted", "ended: RELEASED"));
        }
    }
}
