package io.keyhold.tests.contract.semaphore;

import static io.keyhold.tests.contract.lock.StoreUnderTest.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.CheckedRunnable;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.SemaphoreOptions;
import io.keyhold.tests.contract.lock.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bad input is refused with the value and the rule. The client is closed in each of these tests: a call that got further
 * would fail for that reason instead.
 */
public interface PermitInputContract extends StoreUnderTest {

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_000_000_001})
    default void permitsOfSemaphoreAreBounded(int permits) {
        Keyhold keyhold = closedClient();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> keyhold.semaphore("key", permits),
                () -> SemaphoreOptions.builder().permits(permits),
                () -> keyhold.semaphore("key", 2).resize(permits))) {
            refused(call).hasMessageContainingAll("permits", "1 to 1000000000", "was " + permits);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 4})
    default void permitsOfRequestAreBounded(int permits) {
        DistributedSemaphore semaphore = closedClient().semaphore("key", 3);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> semaphore.acquire(permits),
                () -> semaphore.tryAcquire(permits),
                () -> semaphore.tryAcquire(permits, Duration.ofSeconds(1)),
                () -> semaphore.acquireAsync(permits),
                () -> semaphore.tryAcquireAsync(permits),
                () -> semaphore.tryAcquireAsync(permits, Duration.ofSeconds(1)))) {
            refused(call).hasMessageContainingAll("permits", "1 to", "3", "was " + permits);
        }
    }

    @Test
    default void waitIsBounded() {
        DistributedSemaphore semaphore = closedClient().semaphore("key", 3);
        Duration before = Duration.ofMillis(-5);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> semaphore.tryAcquire(before),
                () -> semaphore.tryAcquire(1, before),
                () -> semaphore.tryAcquireAsync(before),
                () -> semaphore.tryAcquireAsync(1, before),
                () -> SemaphoreOptions.builder().maxWait(before))) {
            refused(call).hasMessageContainingAll("maxWait", "365 days", "-5 ms");
        }
        refused(() -> semaphore.tryAcquire(Duration.ofDays(366))).hasMessageContainingAll("maxWait", "366 days");
    }

    @Test
    default void leaseAndRetriesAreBounded() {
        refused(() -> SemaphoreOptions.builder().lease(Duration.ofMillis(9)))
                .hasMessageContainingAll("lease", "10 ms", "9 ms");
        refused(() -> SemaphoreOptions.builder().lease(Duration.ofDays(32)))
                .hasMessageContainingAll("lease", "32 days");
        refused(() -> SemaphoreOptions.builder().retries(-1)).hasMessageContainingAll("retries", "0 to", "-1");
        refused(() -> SemaphoreOptions.builder().retries(1_000_001)).hasMessageContainingAll("retries", "1000001");
    }

    @Test
    default void keyAndTokenMustNotBeEmpty() {
        Keyhold keyhold = closedClient();
        refused(() -> keyhold.semaphore("", 1)).hasMessageContainingAll("key", "1 to 1000", "''");
        refused(() -> keyhold.semaphore("a:kh:b", 1)).hasMessageContaining("a:kh:b");
        refused(() -> keyhold.semaphore("key", 1).release("")).hasMessageContainingAll("token", "1 to 512");
        refused(() -> keyhold.semaphore("key", 1).isHeld("a\nb")).hasMessageContaining("token");
        refused(() -> keyhold.semaphore("key", 1).adopt("")).hasMessageContaining("token");
    }

    @Test
    @SuppressWarnings("NullAway") // Callers without a checker pass null.
    default void nullNamesParameter() {
        Keyhold keyhold = closedClient();
        DistributedSemaphore semaphore = keyhold.semaphore("key", 1);
        missing(() -> keyhold.semaphore(null, 1)).hasMessage("key must not be null");
        missing(() -> keyhold.semaphore("key", null)).hasMessage("options must not be null");
        missing(() -> semaphore.with(null)).hasMessage("change must not be null");
        missing(() -> semaphore.tryAcquire((Duration) null)).hasMessage("maxWait must not be null");
        missing(() -> semaphore.release(null)).hasMessage("token must not be null");
        missing(() -> semaphore.isHeld(null)).hasMessage("token must not be null");
        missing(() -> semaphore.adopt(null)).hasMessage("token must not be null");
        missing(() -> semaphore.run((CheckedRunnable<RuntimeException>) null)).hasMessage("work must not be null");
        missing(() -> SemaphoreOptions.builder().onLost(null)).hasMessage("listener must not be null");
    }

    @Test
    default void wellFormedInputIsAccepted() throws InterruptedException {
        try (Keyhold keyhold = client().build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(freshKey(), 1_000_000_000);
            assertThat(semaphore.tryAcquire(Duration.ZERO)).isPresent();
            assertThat(semaphore.availablePermits()).isEqualTo(999_999_999);
        }
    }

    private Keyhold closedClient() {
        Keyhold keyhold = client().build();
        keyhold.close();
        return keyhold;
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> missing(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(NullPointerException.class);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
}
