package io.keyhold.tests.faults;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.StoreRefusedException;
import io.keyhold.WrongKindException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.CountingDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A script that fails in the middle leaves nothing behind. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenScriptTest {

    private static final String KEY = "gpu";
    private static final String WAITERS = "{gpu}:kh:waiters";
    private static final String QUEUE = "{gpu}:kh:queue";
    /** So long that nothing ends by itself during a test. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void foreignDataInQueueLeaksNoPermit(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            console.ask("SET", WAITERS, "foreign");
            DistributedSemaphore semaphore = keyhold.semaphore(KEY, 2).with(options -> options.lease(LONG));
            Lease first = semaphore.acquire();
            Lease second = semaphore.acquire();
            assertThatThrownBy(() -> semaphore.tryAcquire(Duration.ofMinutes(1)))
                    .as("there is no queue to wait in")
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).isEmpty())
                    .hasMessageContainingAll("cannot acquire semaphore 'gpu'", "WRONGTYPE", "docs/keys.md");
            assertThat(first.release()).isTrue();
            assertThat(second.release()).isTrue();
            assertThat(semaphore.availablePermits()).isEqualTo(2);
            assertThat(console.text("GET", WAITERS)).isEqualTo("foreign");
        }
    }

    /** An error says nothing about the holder, unless it is that of another type. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void forbiddenReadIsNoLoss(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            List<Lease> leases = List.of(
                    keyhold.lock("a").with(options -> options.lease(LONG)).acquire(),
                    keyhold.allOf("b", "c").with(options -> options.lease(LONG)).acquire(),
                    keyhold.semaphore("d", 2)
                            .with(options -> options.lease(LONG))
                            .acquire(),
                    keyhold.readWriteLock("e")
                            .with(options -> options.lease(LONG))
                            .writeLock()
                            .acquire());
            console.ask("ACL", "SETUSER", "default", "-get", "-zscore", "-zrange");
            for (Lease lease : leases) {
                assertForbidden(() -> lease.extend(LONG));
                assertThat(lease.isHeld()).isTrue();
                assertForbidden(lease::isHeldOnServer);
                assertForbidden(lease::release);
            }
            console.ask("ACL", "SETUSER", "default", "+@all");
            for (String key : List.of("a", "b", "c", "d", "e")) {
                await(() -> console.text("EXISTS", key).equals("0")); // Released in the background.
            }
            assertThat(leases).allSatisfy(lease -> assertThat(lease.lost()).isNotDone());
        }
    }

    private static void assertForbidden(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo("NOPERM"));
    }

    @Test
    void dataOfAnotherTypeIsNamedAsSuch() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = Setup.JEDIS_SCRIPTS.client(server.uri()).build()) {
            for (Lease lease : List.of(
                    keyhold.lock("a").acquire(), keyhold.semaphore("b", 2).acquire())) {
                console.ask("DEL", lease.key());
                console.ask("HSET", lease.key(), "field", "value");
                assertThat(lease.extend(LONG)).isFalse();
                assertThatThrownBy(lease::close)
                        .isInstanceOf(LeaseLostException.class)
                        .hasMessageEndingWith("now held by data of another type");
            }
        }
    }

    /**
     * Before Redis 7.2, PEXPIRE deletes a key whose time has passed while the command ran, as it does with a time of zero. The script must
     * not write the resting token then: nothing would ever end it.
     */
    @Test
    void restThatIsOverAtOnceLeavesNoKey() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = Keyhold.builder()
                        .driver(new CountingDriver(
                                JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri()))),
                                BrokenScriptTest::withoutRest))
                        .build()) {
            assertThat(keyhold.lock(KEY).acquire().releaseAfter(LONG)).isTrue();
            assertThat(console.text("EXISTS", KEY)).isEqualTo("0");
            assertThat(keyhold.allOf(KEY, "{gpu}:2").acquire().releaseAfter(LONG))
                    .isTrue();
            assertThat(console.text("EXISTS", KEY, "{gpu}:2")).isEqualTo("0");
        }
    }

    /** A release that the server has executed, apart from the look at the queue, is one. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_TRANSACTIONS", "LETTUCE_TRANSACTIONS"})
    void foreignDataInQueueDoesNotHarmReleaseByTransaction(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease lease = keyhold.lock(KEY).acquire();
            console.ask("SET", QUEUE, "foreign");
            assertThat(lease.release()).isTrue();
            assertThat(lease.lost()).isNotDone();
            assertThat(console.text("EXISTS", KEY)).isEqualTo("0");
            Lease resting = keyhold.lock(KEY).acquire();
            assertThat(resting.releaseAfter(LONG)).isTrue();
            assertThat(keyhold.inspect().forceRelease(KEY)).isTrue();
            assertThat(keyhold.inspect().forceRelease(KEY)).isFalse();
            assertThat(console.text("GET", QUEUE)).isEqualTo("foreign");
        }
    }

    /** The time of the rest follows the resting token. */
    private static RedisCall withoutRest(RedisCall call) {
        List<String> arguments = new ArrayList<>(call.arguments());
        int rest = 1
                + IntStream.range(0, arguments.size())
                        .filter(i -> arguments.get(i).endsWith(" (resting)"))
                        .findFirst()
                        .orElse(-1);
        if (rest > 0) {
            assertThat(arguments.set(rest, "0")).isEqualTo(Long.toString(LONG.toMillis()));
        }
        return new RedisCall(call.command(), arguments);
    }

    /** A foreign holder is no reason to refuse the key; a queue of a wrong type is. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void foreignDataInQueueIsReportedAsSuch(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            console.ask("SET", KEY, "held by another program");
            assertThat(keyhold.lock(KEY).tryAcquire()).isEmpty();
            console.ask("SET", QUEUE, "foreign");
            assertThatThrownBy(() -> keyhold.lock(KEY).tryAcquire(Duration.ofMinutes(1)))
                    .isInstanceOfSatisfying(
                            WrongKindException.class,
                            wrong -> assertThat(wrong.found()).isEmpty())
                    .hasMessageContainingAll("cannot acquire lock 'gpu'", "WRONGTYPE", "docs/keys.md");
            assertThat(console.text("GET", QUEUE)).isEqualTo("foreign");
        }
    }

    /** ZADD is the first command of a grant, and PEXPIRE the last. */
    @ParameterizedTest
    @CsvSource({"JEDIS_SCRIPTS, -zadd", "JEDIS_SCRIPTS, -pexpire", "LETTUCE_SCRIPTS, -zadd", "LETTUCE_SCRIPTS, -pexpire"
    })
    void failedScriptStillPurgesExpiredHolders(Setup setup, String forbiddenCommand) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(KEY, 2);
            Lease staying = semaphore.with(options -> options.lease(LONG)).acquire();
            semaphore.with(options -> options.lease(Duration.ofMillis(100))).acquire();
            await(() -> semaphore.availablePermits() > 0); // The short hold has expired; inspection does not purge it.
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", forbiddenCommand);
            try (Keyhold forbidden =
                    setup.client("redis://app:pw@127.0.0.1:" + server.port()).build()) {
                assertThatThrownBy(() -> forbidden
                                .semaphore(KEY, 2)
                                .with(options -> options.lease(Duration.ofDays(2)))
                                .tryAcquire())
                        .isInstanceOf(StoreRefusedException.class);
                awaitHolders(console, 1);
            }
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            assertThat(staying.release()).isTrue();
            assertThat(semaphore.availablePermits()).isEqualTo(2);
        }
    }

    /** HDEL follows the end of the hold, and PEXPIREAT that of a hold that has expired. */
    @ParameterizedTest
    @CsvSource({
        "JEDIS_SCRIPTS, -hdel",
        "JEDIS_SCRIPTS, -pexpireat",
        "LETTUCE_SCRIPTS, -hdel",
        "LETTUCE_SCRIPTS, -pexpireat"
    })
    void failedReleaseReturnsPermits(Setup setup, String forbiddenCommand) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(KEY, 3).with(options -> options.lease(LONG));
            semaphore.acquire();
            String expired = semaphore.acquire().token();
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", forbiddenCommand);
            try (Keyhold forbidden =
                    setup.client("redis://app:pw@127.0.0.1:" + server.port()).build()) {
                Lease leaving = forbidden
                        .semaphore(KEY, 3)
                        .with(options -> options.lease(LONG))
                        .acquire();
                console.ask("ZADD", KEY, "XX", "1", expired);
                try {
                    leaving.release();
                } catch (StoreRefusedException refused) {
                    assertThat(refused.code()).isEqualTo("NOPERM");
                }
            }
            assertThat(semaphore.tryAcquire(2)).as("one of three is held").isPresent();
            assertThat(semaphore.availablePermits()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void failedPexpireLeavesNothingBehind(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold holder = setup.client(server.uri()).build()) {
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-pexpire");
            try (Keyhold forbidden =
                    setup.client("redis://app:pw@127.0.0.1:" + server.port()).build()) {
                assertThatThrownBy(() -> forbidden
                                .semaphore(KEY, 2)
                                .with(options -> options.lease(LONG))
                                .acquire())
                        .isInstanceOfSatisfying(
                                StoreRefusedException.class,
                                failure -> assertThat(failure.code()).isEqualTo("NOPERM"))
                        .hasMessageContainingAll("docs/keys.md", "ACL LOG");
                awaitHolders(console, 0);
                console.ask("DEL", KEY, "{gpu}:kh:permits");

                Lease held =
                        holder.lock(KEY).with(options -> options.lease(LONG)).acquire();
                CompletableFuture<Lease> waiting = forbidden.lock(KEY).acquireAsync();
                assertThat(waiting).failsWithin(Duration.ofMinutes(1));
                await(() -> console.text("EXISTS", QUEUE).equals("0"));
                assertThat(held.release()).isTrue();
                assertThat(console.text("EXISTS", KEY)).isEqualTo("0");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void forbiddenTimeIsNamedAndNothingIsTaken(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-time");
            try (Keyhold keyhold =
                    setup.client("redis://app:pw@127.0.0.1:" + server.port()).build()) {
                assertTimeIsNamed(() -> keyhold.lock(KEY).acquire());
                assertTimeIsNamed(() -> keyhold.semaphore(KEY, 2).acquire());
                assertTimeIsNamed(() -> keyhold.readWriteLock(KEY).readLock().acquire());
                assertTimeIsNamed(() -> keyhold.allOf("one", "two").acquire());
                assertThat(console.text("DBSIZE")).isEqualTo("0");
            }
        }
    }

    private static void assertTimeIsNamed(org.assertj.core.api.ThrowableAssert.ThrowingCallable acquire) {
        assertThatThrownBy(acquire)
                .isInstanceOfSatisfying(
                        StoreRefusedException.class,
                        failure -> assertThat(failure.code()).isEqualTo("NOPERM"))
                .hasMessageContainingAll("TIME is not permitted", "docs/keys.md");
    }

    private static void awaitHolders(Console console, int expected) throws InterruptedException {
        await(() -> console.text("ZCARD", KEY).equals(Integer.toString(expected)));
    }
}
