package io.keyhold.tests.seeds;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.CheckedRunnable;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.CountingDriver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The behaviour of redis-semaphore for Go: client, logger, settings, and work under a lock. */
class SemaphoreSeedSettingsTest {

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();

    private final String key = "seed:" + UUID.randomUUID();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    /** "Can accept any implementation that satisfies its Redis interface." */
    @Test
    void anyDriverIsAccepted() throws Exception {
        CountingDriver own = new CountingDriver(JedisDriver.open(RedisUri.parse(withLongTimeouts(SERVER.uri()))));
        try (Keyhold keyhold = Keyhold.builder().driver(own).build()) {
            keyhold.semaphore(key, 1).acquire().release();
            assertThat(own.carried()).isNotEmpty();
        }
    }

    /** "Providing a nil client results in a validation error." */
    @Test
    @SuppressWarnings("NullAway") // Callers without a checker pass null.
    void noClientIsError() {
        assertThatThrownBy(() -> Keyhold.builder().driver(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("driver");
        assertThatThrownBy(() -> Keyhold.builder().build()).isInstanceOf(IllegalStateException.class);
    }

    /** "Can accept any logger", by levels: System.Logger uses the logging of the application. */
    @Test
    void stepsAreLoggedByLevel() throws Exception {
        Logger logger = Logger.getLogger("io.keyhold");
        Level before = logger.getLevel();
        Lines lines = new Lines();
        logger.addHandler(lines);
        try (Keyhold keyhold = client()) {
            logger.setLevel(Level.INFO);
            keyhold.semaphore(key, 1).acquire().release();
            assertThat(lines.seen).noneMatch(line -> line.contains(key));
            logger.setLevel(Level.FINE);
            keyhold.semaphore(key, 1).acquire().release();
            assertThat(lines.seen)
                    .anyMatch(line -> line.contains("semaphore '" + key) && line.contains("was granted"))
                    .anyMatch(line -> line.contains("semaphore '" + key) && line.contains("was released"));
        } finally {
            logger.setLevel(before);
            logger.removeHandler(lines);
        }
    }

    /** "Logger is optional", and so is every setting. */
    @Test
    void everySettingHasDefault() {
        SemaphoreOptions defaults = SemaphoreOptions.builder().build();
        assertThat(defaults.permits()).isEqualTo(1);
        assertThat(defaults.maxWait()).isEmpty();
        assertThat(defaults.retries()).isEmpty();
        assertThat(defaults.lease()).contains(SemaphoreOptions.DEFAULT_LEASE);
        assertThat(defaults.renew()).isTrue();
    }

    /** Expiration: "the maximum amount of time mutual exclusion is guaranteed"; but a live holder may be renewed. */
    @Test
    void permitLastsForItsExpiration() throws Exception {
        try (Keyhold keyhold = client()) {
            DistributedSemaphore semaphore = keyhold.semaphore(
                    key,
                    SemaphoreOptions.builder().lease(Duration.ofMillis(100)).build());
            Lease lease = semaphore.acquire();
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(100));
            lease.lost().toCompletableFuture().join();
            assertThat(keyhold.semaphore(key, 1).acquire().isHeldOnServer()).isTrue();
        }
    }

    /** LockAttempts: "retry if the timeout is reached; all attempts will have the same timeout". */
    @Test
    void everyAttemptHasSameTimeout() throws Exception {
        try (Keyhold keyhold = client()) {
            DistributedSemaphore semaphore = keyhold.semaphore(key, 1);
            semaphore.acquire();
            Duration timeout = Duration.ofMillis(40);
            long begun = System.nanoTime();
            Optional<Lease> lease = Optional.empty();
            for (int attempt = 1; attempt <= 2 && lease.isEmpty(); attempt++) {
                lease = semaphore.tryAcquire(timeout);
            }
            assertThat(lease).isEmpty();
            assertThat(System.nanoTime() - begun)
                    .isGreaterThanOrEqualTo(
                            timeout.minusMillis(1).multipliedBy(2).toNanos());
        }
    }

    /** LockAttempts times TryLockTimeout is one wait, which does not leave the queue between two attempts. */
    @Test
    void allAttemptsTogetherAreOneWait() throws Exception {
        try (Keyhold keyhold = client()) {
            keyhold.semaphore(key, 1).acquire();
            Duration timeout = Duration.ofMillis(40);
            SemaphoreOptions options =
                    SemaphoreOptions.builder().maxWait(timeout.multipliedBy(2)).build();
            long begun = System.nanoTime();
            assertThatThrownBy(() -> keyhold.semaphore(key, options).acquire())
                    .isInstanceOf(AcquireTimeoutException.class);
            assertThat(System.nanoTime() - begun)
                    .isGreaterThanOrEqualTo(
                            timeout.minusMillis(1).multipliedBy(2).toNanos());
        }
    }

    /** "Validation error will be returned on invalid params." */
    @Test
    void settingsAreValidated() {
        assertThatThrownBy(() -> SemaphoreOptions.builder().permits(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was 0");
        assertThatThrownBy(() -> SemaphoreOptions.builder().retries(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was -1");
        assertThatThrownBy(() -> SemaphoreOptions.builder().lease(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was 0 ms");
        assertThatThrownBy(() -> SemaphoreOptions.builder().maxWait(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxWait");
        try (Keyhold keyhold = client()) {
            assertThatThrownBy(() -> keyhold.semaphore("", 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** "After a semaphore is created, its settings cannot be modified": another object has other settings. */
    @Test
    void settingsOfSemaphoreDoNotChange() {
        try (Keyhold keyhold = client()) {
            DistributedSemaphore semaphore = keyhold.semaphore(key, 2);
            DistributedSemaphore other = semaphore.with(options -> options.retries(5));
            assertThat(semaphore.options().retries()).isEmpty();
            assertThat(other.options().retries()).hasValue(5);
            assertThat(other.options().permits()).isEqualTo(2);
        }
    }

    /** WithMutex: lock, run, unlock. */
    @Test
    void workRunsUnderLock() throws Exception {
        try (Keyhold keyhold = client()) {
            DistributedSemaphore semaphore = keyhold.semaphore(key, 1);
            int free = semaphore.call(semaphore::availablePermits);
            assertThat(free).isZero();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
        }
    }

    /** WithMutex: "if an error occurred while running the code block, unlock will run all the same". */
    @Test
    void failedWorkUnlocks() {
        try (Keyhold keyhold = client()) {
            DistributedSemaphore semaphore = keyhold.semaphore(key, 1);
            CheckedRunnable<RuntimeException> broken = () -> {
                throw new IllegalStateException("the code failed");
            };
            assertThatThrownBy(() -> semaphore.run(broken)).hasMessage("the code failed");
            assertThat(semaphore.availablePermits()).isEqualTo(1);
        }
    }

    /** LockWithCustomTimeout: "the same semaphore with an alternating timeout for each lock operation". */
    @Test
    void timeoutOfOneCallMayDiffer() throws Exception {
        try (Keyhold keyhold = client()) {
            DistributedSemaphore semaphore = keyhold.semaphore(key, 1);
            Lease held = semaphore.acquire();
            assertThat(semaphore.tryAcquire(Duration.ofMillis(20))).isEmpty();
            assertThat(semaphore.tryAcquire(Duration.ZERO)).isEmpty();
            held.release();
            assertThat(semaphore.tryAcquire(Duration.ofSeconds(30))).isPresent();
        }
    }

    /** LockWithCustomTimeout: "providing an invalid timeout will result in a validation error". */
    @Test
    void timeoutOfOneCallIsValidated() {
        try (Keyhold keyhold = client()) {
            assertThatThrownBy(() -> keyhold.semaphore(key, 1).tryAcquire(Duration.ofSeconds(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("maxWait", "-1 s");
        }
    }

    private static Keyhold client() {
        return Setup.JEDIS_SCRIPTS.client(SERVER.uri()).build();
    }

    private static final class Lines extends Handler {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record) {
            seen.add(new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
