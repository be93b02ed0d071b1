package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void stateOfEndlessHoldIsKept(Setup setup) throws Exception {
        LockOptions endless = LockOptions.builder().noExpiry().build();
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            keyhold.readWriteLock("rw", endless).writeLock().acquire();
            assertThat(Long.parseLong(console.text("PTTL", "{rw}:kh:permits")))
                    .isGreaterThan(Duration.ofHours(24).toMillis());
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

    /** As if the key had become a list between the scan and the read: the scan lists keys of all types. */
    @Test
    void listingLeavesOutKeyThatBecameAnotherType() throws Exception {
        RedisCall all = RedisCall.of("SCAN", "0", "COUNT", "500");
        RedisDriver driver = new CountingDriver(
                JedisDriver.open(RedisUri.parse(server.uri())),
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
