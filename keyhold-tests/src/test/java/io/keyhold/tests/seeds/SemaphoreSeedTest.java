package io.keyhold.tests.seeds;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.SemaphoreOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.CountingDriver;
import io.keyhold.tests.contract.lock.Waiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The behaviour of redis-semaphore for Go: locking, waiting, and the end of a semaphore that is no longer used. Client and settings
 * are in {@link SemaphoreSeedSettingsTest}. Some of these tests wait until a lease has ended, so several run at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class SemaphoreSeedTest {

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();
    private static final Console CONSOLE = new Console(SERVER.uri());

    /** So long that it does not end before the next request of the test, even if the machine stalls for a while. */
    private static final Duration BRIEF = Duration.ofSeconds(3);

    private final String key = freshKey();
    private final Keyhold first = client("first");
    private final Keyhold second = client("second");

    @AfterEach
    void disconnect() {
        first.close();
        second.close();
    }

    @AfterAll
    static void stop() {
        CONSOLE.close();
        SERVER.close();
    }

    /** "The semaphore is blocking, not polling": while it waits, a client sends nothing. */
    @Test
    void itBlocksAndDoesNotPoll() throws Exception {
        CountingDriver driver = new CountingDriver(JedisDriver.open(RedisUri.parse(withLongTimeouts(SERVER.uri()))));
        try (Keyhold waiting = Keyhold.builder().driver(driver).build()) {
            Lease held = first.semaphore(key, 1).acquire();
            CompletableFuture<Lease> waiter = waiting.semaphore(key, 1).acquireAsync();
            Waiters.await(first, key, 1);
            driver.forget();
            assertThat(second.semaphore(key, 1).tryAcquire(Duration.ofMillis(500)))
                    .isEmpty();
            assertThat(asked(driver)).isEmpty();
            held.release();
            assertThat(waiter.get().isHeld()).isTrue();
            assertThat(asked(driver)).as("commands of a waiter").isEmpty();
        }
    }

    /** "A fair queue serving processes on a first-come, first-serve basis." */
    @Test
    void queueIsFair() throws Exception {
        Lease held = first.semaphore(key, 1).acquire();
        CompletableFuture<Lease> early = second.semaphore(key, 1).acquireAsync();
        Waiters.await(first, key, 1);
        CompletableFuture<Lease> late = first.semaphore(key, 1).acquireAsync();
        Waiters.await(first, key, 2);
        held.release();
        assertThat(early.get().isHeldOnServer()).isTrue();
        assertThat(late).isNotDone();
        early.get().release();
        assertThat(late.get().isHeldOnServer()).isTrue();
    }

    /** "Semaphores are separated in Redis by their names." */
    @Test
    void semaphoresAreSeparatedByTheirNames() throws Exception {
        first.semaphore(key + ":a", 1).acquire();
        assertThat(second.semaphore(key + ":b", 1).tryAcquire()).isPresent();
        assertThat(second.semaphore(key + ":a", 1).tryAcquire()).isEmpty();
    }

    /** "The pool must be larger than the number of locks at once, else deadlock": here two connections do for any number. */
    @Test
    void waitersNeedNoConnectionEach() throws Exception {
        try (Keyhold many = client("many")) {
            Lease held = first.semaphore(key, 1).acquire();
            List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                waiters.add(many.semaphore(key, 1).acquireAsync().thenCompose(Lease::releaseAsync));
            }
            Waiters.await(first, key, 100);
            // At most those of its concurrent requests, and its grant channel.
            assertThat(CONSOLE.connectionsNamed("many")).isLessThan(20);
            held.release();
            for (CompletableFuture<Boolean> waiter : waiters) {
                assertThat(waiter.get()).isTrue();
            }
            assertThat(first.semaphore(key, 1).availablePermits()).isEqualTo(1);
        }
    }

    /** "Lock returns a unique id, given to unlock"; resource locked and number available, before and after. */
    @Test
    void lockReturnsUniqueToken() throws Exception {
        DistributedSemaphore semaphore = first.semaphore(key, 3);
        String token = semaphore.acquire().token();
        assertThat(semaphore.isHeld(token)).isTrue();
        assertThat(semaphore.availablePermits()).isEqualTo(2);
        assertThat(semaphore.acquire().token()).isNotEqualTo(token);
        assertThat(second.semaphore(key, 3).release(token)).isTrue();
        assertThat(semaphore.isHeld(token)).isFalse();
        assertThat(semaphore.availablePermits()).isEqualTo(2);
    }

    /** "A set number of processes inside the protected block." */
    @Test
    void holdersAreLimited() throws Exception {
        first.semaphore(key, 2).acquire();
        second.semaphore(key, 2).acquire();
        assertThat(first.semaphore(key, 2).tryAcquire()).isEmpty();
    }

    /** "Lock creates all keys if used for the first time or expired": they appear with the first lock, each with an expiry. */
    @Test
    void firstLockCreatesExpiringKeys() throws Exception {
        DistributedSemaphore semaphore = first.semaphore(key, 2);
        assertThat(keys()).isEmpty();
        semaphore.acquire();
        assertThat(keys())
                .isNotEmpty()
                .allSatisfy(one -> assertThat(expiry(one)).isPositive());
    }

    /** "After a while all evidence of the semaphore will disappear." */
    @Test
    void allKeysExpire() throws Exception {
        Lease held = first.semaphore(key, 1).acquire();
        CompletableFuture<Lease> waiter = second.semaphore(key, 1).acquireAsync();
        Waiters.await(first, key, 1);
        assertThat(keys()).hasSize(3).allSatisfy(one -> assertThat(expiry(one)).isPositive());
        held.release();
        waiter.get().release();
        assertThat(keys()).allSatisfy(one -> assertThat(expiry(one)).isPositive());
    }

    /** "Performing lock or unlock operations resets the semaphore's expiration time." */
    @Test
    void lockAndUnlockResetExpiry() throws Exception {
        Lease lease = first.semaphore(key, 1).acquire();
        String state = "{" + key + "}:kh:permits";
        CONSOLE.ask("PEXPIRE", state, "60000");
        lease.extend(Duration.ofSeconds(40));
        assertThat(expiry(state)).as("using it").isGreaterThan(60_000);
        lease.release();
        // As if a day had passed: the state is kept somewhat longer than it must, and says until when.
        CONSOLE.ask("PEXPIRE", state, "60000");
        CONSOLE.ask("HSET", state, "kept", Long.toString(System.currentTimeMillis() + 60_000));
        first.semaphore(key, 1).acquire().release();
        assertThat(expiry(state)).as("locking and unlocking").isGreaterThan(60_000);
    }

    /** "The setting of the first semaphore that acquires applies until this semaphore expires"; but others are told so. */
    @Test
    void firstLimitAppliesUntilExpiry() throws Exception {
        first.semaphore(key, 2).acquire().release();
        assertThatThrownBy(() -> second.semaphore(key, 5).tryAcquire())
                .isInstanceOf(SemaphoreLimitException.class)
                .hasMessageContainingAll("2", "5");
        keys().forEach(one -> CONSOLE.ask("DEL", one)); // As when it expires.
        assertThat(second.semaphore(key, 5).tryAcquire(5)).isPresent();
        assertThatThrownBy(() -> first.semaphore(key, 2).tryAcquire()).isInstanceOf(SemaphoreLimitException.class);
    }

    /** "Before every lock operation, expired resources will be cleaned up and returned to the available ones." */
    @Test
    void expiredHoldersAreCleanedUpByNextLock() throws Exception {
        DistributedSemaphore brief = first.semaphore(
                key, SemaphoreOptions.builder().permits(2).lease(BRIEF).build());
        String dead = brief.acquire().handOff();
        Lease alive = first.semaphore(key, 2).acquire();
        while (second.semaphore(key, 2).isHeld(dead)) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(CONSOLE.text("ZCARD", key)).as("not purged yet").isEqualTo("2");
        assertThat(second.semaphore(key, 2).tryAcquire()).isPresent();
        assertThat(CONSOLE.text("ZSCORE", key, dead)).isEqualTo("null");
        assertThat(second.semaphore(key, 2).tryAcquire()).isEmpty();
        assertThat(alive.isHeldOnServer()).isTrue();
    }

    /** A fault of the original: no waiter was woken when a holder expired. */
    @Test
    void waiterIsWokenByExpiry() throws Exception {
        first.semaphore(key, 1).with(options -> options.lease(BRIEF)).acquire().handOff();
        assertThat(second.semaphore(key, 1).acquire().isHeldOnServer()).isTrue();
    }

    /** "If the semaphore expires while a process waits, it will not be possible to acquire": here it is. */
    @Test
    void waiterSurvivesExpiryOfSemaphore() throws Exception {
        undisturbed(() -> {
            String key = freshKey();
            String token = first.semaphore(key, 1)
                    .with(options -> options.lease(Duration.ofSeconds(2)))
                    .acquire()
                    .handOff();
            CompletableFuture<Lease> waiter = second.semaphore(key, 1).acquireAsync();
            Waiters.await(first, key, 1, () -> first.semaphore(key, 1).isHeld(token));
            keys(key).forEach(one -> CONSOLE.ask("DEL", one)); // As when it expires.
            assertThat(waiter.get().isHeldOnServer()).isTrue();
        });
    }

    /** "A lock operation cannot block indefinitely": it is bounded by a time, after which it fails. */
    @Test
    void lockingIsBoundedByTimeout() throws Exception {
        first.semaphore(key, 1).acquire();
        DistributedSemaphore bounded = second.semaphore(key, 1).with(options -> options.maxWait(Duration.ofMillis(50)));
        assertThatThrownBy(bounded::acquire)
                .isInstanceOf(AcquireTimeoutException.class)
                .hasMessageContainingAll(key, "held by first@");
    }

    private static Keyhold client(String name) {
        return Setup.JEDIS_SCRIPTS.client(SERVER.uri(), "clientName=" + name).build();
    }

    /** Without the probes of its grant channel, which come every few seconds. */
    private static List<String> asked(CountingDriver driver) {
        return driver.carried().stream()
                .filter(command -> !command.equals("PUBLISH"))
                .toList();
    }

    private static long expiry(String one) {
        return Long.parseLong(CONSOLE.text("PTTL", one));
    }

    private static String freshKey() {
        return "seed:" + UUID.randomUUID();
    }

    private List<String> keys() {
        return keys(key);
    }

    private static List<String> keys(String key) {
        List<String> found = new ArrayList<>();
        if (CONSOLE.ask("KEYS", "*" + key + "*") instanceof List<?> keys) {
            keys.forEach(one -> found.add((String) one));
        }
        return found;
    }
}
