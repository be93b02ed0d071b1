package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.CheckedRunnable;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdListener;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.tests.contract.lock.ApiStyle;
import io.keyhold.tests.contract.lock.EventLog;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Acquiring a permit, and using it. */
public interface PermitContract extends StoreUnderTest {

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void listenerIsToldOfPermits(ApiStyle style) throws InterruptedException {
        EventLog log = new EventLog();
        try (Keyhold keyhold = client().listener(log).build()) {
            style.release(style.acquire(keyhold.semaphore(freshKey(), 3), 2));
            assertThat(log.awaitEnd(1)).containsExactly("requested", "granted", "ended: RELEASED");
            KeyholdListener.Request request = log.entries().get(0).request();
            assertThat(request.kind()).isEqualTo(KeyholdListener.Request.Kind.SEMAPHORE);
            assertThat(request.permits()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void permitsAreLimited(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                leases.add(style.acquire((i % 2 == 0 ? first : second).semaphore(key, 3)));
            }
            assertThat(leases)
                    .allMatch(Lease::isHeldOnServer)
                    .extracting(Lease::token)
                    .doesNotHaveDuplicates();
            assertThat(style.tryAcquire(first.semaphore(key, 3))).isEmpty();
            assertThat(style.tryAcquire(second.semaphore(key, 3), Duration.ofMillis(30)))
                    .isEmpty();
            assertThat(style.release(leases.get(1))).isTrue();
            assertThat(style.tryAcquire(second.semaphore(key, 3))).isPresent();
            assertThat(style.tryAcquire(first.semaphore(key, 3))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void freePermitIsGrantedAtFirstAttempt(ApiStyle style) throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            Lease lease = style.acquire(semaphore);
            assertThat(lease.key()).isEqualTo(semaphore.key());
            assertThat(lease.attempts()).isEqualTo(1);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(LockOptions.DEFAULT_LEASE);
        }
    }

    @Test
    default void threadMayHoldSeveralPermits() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 3);
            Lease one = semaphore.acquire();
            Lease two = semaphore.acquire();
            assertThat(semaphore.tryAcquire()).isPresent();
            assertThat(semaphore.tryAcquire()).isEmpty();
            assertThat(one.release()).isTrue();
            assertThat(two.isHeldOnServer()).isTrue();
        }
    }

    @Test
    default void freePermitsAreCounted() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            assertThat(first.semaphore(key, 3).availablePermits())
                    .as("of an unused semaphore")
                    .isEqualTo(3);
            Lease one = first.semaphore(key, 3).acquire();
            Lease two = first.semaphore(key, 3).acquire();
            assertThat(second.semaphore(key, 3).availablePermits()).isEqualTo(1);
            one.release();
            assertThat(second.semaphore(key, 3).availablePermits()).isEqualTo(2);
            two.release();
            assertThat(second.semaphore(key, 3).availablePermits()).isEqualTo(3);
        }
    }

    @Test
    default void isHeldWorksFromAnyClient() throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            Lease lease = first.semaphore(key, 2).acquire();
            assertThat(second.semaphore(key, 2).isHeld(lease.token())).isTrue();
            assertThat(second.semaphore(key, 2).isHeld("other-client")).isFalse();
            lease.release();
            assertThat(second.semaphore(key, 2).isHeld(lease.token())).isFalse();
            assertThat(second.semaphore(freshKey(), 2).isHeld(lease.token())).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiStyle.class)
    default void fencingTokensGrowWithEveryGrant(ApiStyle style) throws InterruptedException {
        try (Keyhold first = client().build();
                Keyhold second = client().build()) {
            String key = freshKey();
            long last = 0;
            for (int i = 0; i < 20; i++) {
                Lease lease = style.acquire((i % 3 == 0 ? second : first).semaphore(key, 3));
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
                if (i % 4 != 0 || i > 4) {
                    style.release(lease); // Two stay held, so that some grants follow another grant and not a release.
                }
            }
        }
    }

    @Test
    default void callReturnsResultAndReleases() throws Exception {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            int free = semaphore.call(semaphore::availablePermits);
            assertThat(free).isEqualTo(1);
            boolean held = semaphore.call(lease -> semaphore.isHeld(lease.token()));
            assertThat(held).isTrue();
            List<String> seen = new ArrayList<>();
            semaphore.run(() -> seen.add("run"));
            semaphore.run(lease -> seen.add(lease.key()));
            assertThat(seen).containsExactly("run", semaphore.key());
            assertThat(semaphore.availablePermits()).isEqualTo(2);
        }
    }

    @Test
    default void failedWorkReturnsPermit() {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            assertThatThrownBy(() -> semaphore.call(() -> {
                        throw new IOException("the work failed");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the work failed")
                    .hasNoSuppressedExceptions();
            CheckedRunnable<RuntimeException> broken = () -> {
                throw new AssertionError("an error too");
            };
            assertThatThrownBy(() -> semaphore.run(broken)).isInstanceOf(AssertionError.class);
            assertThat(semaphore.availablePermits()).isEqualTo(2);
        }
    }

    @Test
    default void optionsOfOneCallMayDifferFromSemaphore() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            DistributedSemaphore brief = semaphore.with(options -> options.lease(Duration.ofSeconds(3)));
            assertThat(brief.acquire().remaining()).isLessThanOrEqualTo(Duration.ofSeconds(3));
            assertThat(semaphore.acquire().remaining()).isGreaterThan(Duration.ofSeconds(3));
            assertThat(brief.options().permits()).isEqualTo(2);
        }
    }

    @Test
    default void clientDefaultsApplyToSemaphores() throws InterruptedException {
        LockOptions defaults = LockOptions.builder()
                .lease(Duration.ofSeconds(7))
                .maxWait(Duration.ofMinutes(5))
                .build();
        try (Keyhold keyhold = client().defaults(defaults).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            SemaphoreOptions options = semaphore.options();
            assertThat(options.lease()).contains(Duration.ofSeconds(7));
            assertThat(options.renew()).isFalse();
            assertThat(options.maxWait()).contains(Duration.ofMinutes(5));
            assertThat(semaphore.acquire().remaining()).isLessThanOrEqualTo(Duration.ofSeconds(7));
        }
    }

    @Test
    default void everyClientDefaultApplies() {
        LockOptions defaults = LockOptions.builder()
                .name("gpu")
                .noExpiry()
                .retries(2)
                .retryInterval(Duration.ofMillis(3))
                .onLost(loss -> {})
                .interruptOnLoss(true)
                .build();
        try (Keyhold keyhold = client().defaults(defaults).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 2);
            assertThat(semaphore.options())
                    .isEqualTo(SemaphoreOptions.builder()
                            .permits(2)
                            .name("gpu")
                            .noExpiry()
                            .retries(2)
                            .retryInterval(Duration.ofMillis(3))
                            .onLost(defaults.onLost().orElseThrow())
                            .interruptOnLoss(true)
                            .build());
            Lease lease = semaphore.tryAcquire().orElseThrow();
            assertThat(lease.remaining()).isEqualTo(Lease.ENDLESS);
            assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
            assertThat(keyhold.inspect()
                            .lock(semaphore.key())
                            .holder()
                            .orElseThrow()
                            .remaining())
                    .isEmpty();
            assertThat(lease.release()).isTrue();
        }
        try (Keyhold keyhold =
                client().defaults(LockOptions.builder().token("mine").build()).build()) {
            assertThatThrownBy(() -> keyhold.semaphore(freshKey(), 2))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("have a token, which semaphores do not support");
        }
    }
}
