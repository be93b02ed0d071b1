package io.keyhold.tests.whole;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.FencingCounter;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.CountingDriver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stored data stays correct with holds of other lengths, foreign values and data of a wrong type. */
class StoredFormsTest extends OneServer {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final LockOptions ENDLESS = LockOptions.builder().noExpiry().build();

    private static LockOptions lease(Duration lease) {
        return LockOptions.builder().lease(lease).renew(false).build();
    }

    private long counterAhead(String key) {
        long ahead = (System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1)) * 1000;
        console.ask("SET", FencingCounter.of(key), Long.toString(ahead));
        return ahead;
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void shortHoldKeepsStateOfLongHold(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease first = keyhold.readWriteLock("rw", lease(Duration.ofSeconds(20)))
                    .readLock()
                    .acquireAsync()
                    .get();
            assertThat(first.extend(LONG)).isTrue();
            keyhold.readWriteLock("rw", lease(Duration.ofSeconds(10)))
                    .readLock()
                    .acquireAsync()
                    .get();
            assertThat(Long.parseLong(console.text("PTTL", "{rw}:kh:permits"))).isGreaterThan(LONG.toMillis());
        }
    }

    private long stateMillis(String key) {
        return Long.parseLong(console.text("PTTL", "{" + key + "}:kh:permits"));
    }

    /** A dead holder does not prolong it, and without it the key could be neither used nor forced. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void stateOfEndlessHoldDoesNotExpire(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease writes = keyhold.readWriteLock("rw", ENDLESS)
                    .writeLock()
                    .acquireAsync()
                    .get();
            assertThat(stateMillis("rw")).isEqualTo(-1);
            assertThat(writes.release()).isTrue();
            assertThat(console.text("EXISTS", "rw", "{rw}:kh:permits")).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void holdsWithEndsLeaveStateOfEndlessHold(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore("s", 3).with(options -> options.lease(LONG));
            Lease first = semaphore.acquire();
            Lease endless = semaphore.with(options -> options.noExpiry()).acquire();
            assertThat(stateMillis("s")).isEqualTo(-1);
            Lease second =
                    semaphore.with(options -> options.lease(Duration.ofDays(2))).acquire();
            assertThat(first.extend(Duration.ofDays(3))).isTrue();
            assertThat(keyhold.semaphore("s", 3).resize(4)).isEqualTo(3);
            assertThat(second.release()).isTrue();
            assertThat(stateMillis("s")).isEqualTo(-1);
            assertThat(endless.release()).isTrue();
            assertThat(stateMillis("s"))
                    .as("for long enough for the hold that goes on")
                    .isGreaterThan(Duration.ofDays(3).toMillis());
            assertThat(first.release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void stateExpiresWhenEndlessHoldIsReleasedOrRests(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore("s", 1).with(options -> options.noExpiry());
            Lease first = semaphore.acquire();
            CompletableFuture<Lease> waiting = semaphore.acquireAsync();
            ServerQueue.forPermits(console, "s").await(1);
            assertThat(first.release()).isTrue();
            Lease second = waiting.get(60, TimeUnit.SECONDS);
            assertThat(stateMillis("s")).isEqualTo(-1);
            assertThat(second.release()).isTrue();
            assertThat(stateMillis("s")).isPositive();
            assertThat(semaphore.acquire().releaseAfter(LONG)).isTrue();
            assertThat(stateMillis("s")).isGreaterThan(LONG.toMillis());
            assertThat(Long.parseLong(console.text("PTTL", "s"))).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void endlessHoldWithoutStateCanBeForced(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build();
                Keyhold other = setup.client(server.uri()).build()) {
            keyhold.readWriteLock("rw", ENDLESS).writeLock().acquireAsync().get();
            CompletableFuture<Lease> waiting =
                    other.readWriteLock("rw", lease(LONG)).writeLock().acquireAsync();
            ServerQueue.forPermits(console, "rw").await(1);
            console.ask("DEL", "{rw}:kh:permits");
            assertThat(keyhold.inspect().forceRelease("rw")).isTrue();
            assertThat(waiting.get(60, TimeUnit.SECONDS).release()).isTrue();
            console.ask("ZADD", "scores", "1700000000000000", "value");
            assertThatThrownBy(() -> keyhold.inspect().forceRelease("scores")).isInstanceOf(WrongKindException.class);
            assertThat(console.text("ZCARD", "scores")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void endlessHoldThatIsAdoptedWithoutStateLetsKeysExpire(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore("s", 2).with(options -> options.lease(LONG));
            Lease endless = semaphore.with(options -> options.noExpiry()).acquire();
            semaphore.acquire();
            console.ask("DEL", "{s}:kh:permits");
            assertThat(semaphore.adopt(endless.token()).release()).isTrue();
            assertThat(Long.parseLong(console.text("PTTL", "s"))).isPositive();
            assertThat(stateMillis("s")).isGreaterThan(LONG.toMillis());
        }
    }

    /** A rest writes into the state, but does not know how many permits there were. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void restAfterLossOfStateCanBeForced(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease lease = keyhold.semaphore("s", 2)
                    .with(options -> options.lease(LONG))
                    .acquire();
            console.ask("DEL", "{s}:kh:permits");
            assertThat(lease.releaseAfter(LONG)).isTrue();
            assertThat(stateMillis("s")).isGreaterThan(LONG.toMillis());
            assertThat(keyhold.inspect().forceRelease("s")).isTrue();
            assertThat(console.text("EXISTS", "s", "{s}:kh:permits")).isEqualTo("0");
            assertThat(keyhold.semaphore("s", 5).tryAcquire()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void severalKeysOfSlotTakeOneNumber(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            long ahead = counterAhead("{t}");
            Lease lease = keyhold.allOf("{t}:a", "{t}:b", "{t}:c").acquire();
            assertThat(lease.fencingToken()).isEqualTo(ahead + 64);
            assertThat(console.text("GET", FencingCounter.of("{t}"))).isEqualTo(Long.toString(ahead + 64));
        }
    }

    /** Such a value is the token of its holder; numbers in it mean nothing. */
    @ParameterizedTest
    @EnumSource(Setup.class)
    void foreignValueLikeOursGetsNewNumber(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease before = keyhold.lock("l").acquire();
            before.release();
            console.ask("SET", "l", "job 1 2", "PX", "600000");
            Lease adopted = keyhold.lock("l").adopt("job 1 2");
            assertThat(adopted.fencingToken()).isGreaterThan(before.fencingToken());
            assertThat(console.text("GET", "l")).isEqualTo("job 1 2");
            assertThat(adopted.release()).isTrue();
            assertThat(console.text("EXISTS", "l")).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void foreignHoldAmongSeveralKeepsNumbersGrowing(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease b = keyhold.lock(
                            "b", LockOptions.builder().token("tok").lease(LONG).build())
                    .acquire();
            b.handOff();
            Lease a = keyhold.lock("a").acquire();
            a.release();
            console.ask("SET", "a", "tok", "PX", "600000");
            Lease both = keyhold.allOf("a", "b").adopt("tok");
            assertThat(both.fencingToken()).isGreaterThan(a.fencingToken());
            assertThat(console.text("GET", "a")).isEqualTo("tok");
            assertThat(both.release()).isTrue();
        }
    }

    /** As if a request to join had been repeated on another connection and had then arrived after all. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void secondEntryOfTokenNeitherShortensItsHoldNorTakesPermits(Setup setup) throws Exception {
        try (Keyhold holder = setup.client(server.uri()).build();
                Keyhold waiter = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = holder.semaphore("s", 1).with(options -> options.lease(LONG));
            Lease held = semaphore.acquire();
            CompletableFuture<Lease> waiting = waiter.semaphore("s", 1)
                    .with(options -> options.lease(LONG))
                    .acquireAsync();
            ServerQueue queue = ServerQueue.forPermits(console, "s");
            queue.await(1);
            console.ask("RPUSH", "{s}:kh:waiters", console.text("LINDEX", "{s}:kh:waiters", "0"));
            assertThat(held.release()).isTrue();
            Lease lease = waiting.get(60, TimeUnit.SECONDS);
            assertThat(lease.extend(Duration.ofHours(1))).isTrue();
            String end = console.text("ZSCORE", "s", lease.token());
            assertThat(queue.length()).isEqualTo(1);
            semaphore.resize(2);
            assertThat(queue.length()).isZero();
            assertThat(console.text("ZSCORE", "s", lease.token())).isEqualTo(end);
            assertThat(console.text("HGET", "{s}:kh:permits", "used")).isEqualTo("1");
            assertThat(lease.release()).isTrue();
            assertThat(console.text("HGET", "{s}:kh:permits", "used")).isEqualTo("0");
        }
    }

    /** The same, of requests that give up. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void secondEntryLeavesWithItsRequest(Setup setup) throws Exception {
        try (Keyhold holder = setup.client(server.uri()).build();
                Keyhold waiter = setup.client(server.uri()).build()) {
            holder.lock("l", lease(LONG)).acquire();
            holder.semaphore("s", 1).with(options -> options.lease(LONG)).acquire();
            CompletableFuture<Lease> lock = waiter.lock("l", lease(LONG)).acquireAsync();
            CompletableFuture<Lease> permit = waiter.semaphore("s", 1).acquireAsync();
            ServerQueue queue = new ServerQueue(console, "l");
            ServerQueue waiters = ServerQueue.forPermits(console, "s");
            queue.await(1);
            waiters.await(1);
            console.ask("RPUSH", "{l}:kh:queue", console.text("LINDEX", "{l}:kh:queue", "0"));
            console.ask("RPUSH", "{s}:kh:waiters", console.text("LINDEX", "{s}:kh:waiters", "0"));
            console.ask("PERSIST", "{l}:kh:queue"); // As if others waited.
            console.ask("PERSIST", "{s}:kh:waiters");
            lock.cancel(true);
            permit.cancel(true);
            queue.await(0);
            waiters.await(0);
        }
    }

    /** The same, of a hold that was made endless in between. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void secondEntryOfEndlessHoldLeavesItEndless(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore("s", 1).with(options -> options.lease(LONG));
            Lease held = semaphore.acquire();
            CompletableFuture<Lease> waiting = semaphore.acquireAsync();
            ServerQueue.forPermits(console, "s").await(1);
            console.ask("RPUSH", "{s}:kh:waiters", console.text("LINDEX", "{s}:kh:waiters", "0"));
            assertThat(held.release()).isTrue();
            Lease lease = waiting.get(60, TimeUnit.SECONDS);
            semaphore.with(options -> options.noExpiry()).adopt(lease.token());
            semaphore.resize(2);
            assertThat(console.text("ZSCORE", "s", lease.token())).isEqualTo("inf");
            assertThat(lease.release()).isTrue();
            assertThat(stateMillis("s")).isPositive();
        }
    }

    /** No number, no grant: the waiter stays in the queue, and nothing stays for ever. */
    @ParameterizedTest
    @Tag("full")
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void counterOfWrongTypeGrantsNothing(Setup setup) throws Exception {
        try (Keyhold first = setup.client(server.uri()).build();
                Keyhold second = setup.client(server.uri()).build()) {
            Lease writes = first.readWriteLock("rw", lease(LONG)).writeLock().acquire();
            CompletableFuture<Lease> waiting =
                    second.readWriteLock("rw", lease(LONG)).writeLock().acquireAsync();
            ServerQueue.forPermits(console, "rw").await(1);
            console.ask("DEL", FencingCounter.of("rw"));
            console.ask("RPUSH", FencingCounter.of("rw"), "foreign");
            assertThat(writes.release()).isTrue();
            assertThat(console.text("EXISTS", "rw", "{rw}:kh:permits")).isEqualTo("0");
            assertThat(console.text("LLEN", "{rw}:kh:waiters")).isEqualTo("1");
            assertThatThrownBy(() -> first.lock("rw").tryAcquire())
                    .isInstanceOf(WrongKindException.class)
                    .hasMessageContaining("WRONGTYPE");
            assertThat(console.text("EXISTS", "rw")).isEqualTo("0");
            console.ask("DEL", FencingCounter.of("rw"));
            assertThat(waiting.get(60, TimeUnit.SECONDS).release()).isTrue();
        }
    }

    /** A lock that is held must not be missing from a listing that says nothing of it. */
    @ParameterizedTest
    @EnumSource(Setup.class)
    void listingFailsIfQueueOfLockHasWrongType(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease lease = keyhold.lock("invoice:42").acquire();
            console.ask("SET", "{invoice:42}:kh:queue", "foreign");
            assertThatThrownBy(() -> keyhold.inspect().list("*")).hasMessageContainingAll("WRONGTYPE", "'invoice:42'");
            assertThatThrownBy(() -> keyhold.inspect().lock("invoice:42")).hasMessageContaining("WRONGTYPE");
            assertThat(lease.release()).isTrue();
            assertThat(keyhold.inspect().list("*")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void listingFailsIfStateOfSemaphoreHasWrongType(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            keyhold.semaphore("s", 2).acquire();
            console.ask("SET", "{s}:kh:permits", "foreign");
            assertThatThrownBy(() -> keyhold.inspect().list("*")).hasMessageContainingAll("WRONGTYPE", "'s'");
        }
    }

    /** As if the key had become a list between the scan and the read: the scan lists keys of all types. */
    @Test
    void listingLeavesOutKeyThatBecameAnotherType() throws Exception {
        RedisCall all = RedisCall.of("SCAN", "0", "COUNT", "500");
        RedisDriver driver = new CountingDriver(
                JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri()))),
                call -> call.command().equals("SCAN") && call.arguments().contains("string") ? all : call);
        try (Keyhold keyhold = Keyhold.builder().driver(driver).build()) {
            Lease lease = keyhold.lock("invoice:42").acquire();
            for (int i = 0; i < 5; i++) {
                console.ask("RPUSH", "list:" + i, "entry");
            }
            assertThat(keyhold.inspect().list("*"))
                    .extracting(LockSnapshot::key)
                    .containsExactly("invoice:42");
            lease.release();
        }
    }
}
