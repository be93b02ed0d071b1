package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.tests.FencingCounter;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.TestThreads;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stays on a server when nothing is held: a fencing counter per hash slot, and the limits of semaphores. */
@Tag("full")
class NothingLeftTest extends OneServer {

    private static final int MANY = 100_000;
    private static final int THREADS = 16;
    private static final int SLOTS = 16_384;

    private List<?> keys() {
        return (List<?>) Objects.requireNonNull(console.ask("KEYS", "*"));
    }

    @Test
    void manyKeysShareCountersOfTheirSlots() throws Exception {
        try (Keyhold keyhold = Setup.JEDIS_SCRIPTS.client(server.uri()).build()) {
            holdOften(i -> keyhold.lock("invoice:" + i));
        }
        assertThat(keys())
                .hasSizeBetween(SLOTS * 9 / 10, SLOTS)
                .allSatisfy(key -> assertThat(key.toString()).matches("\\{\\d+}:kh:fence"));
    }

    @Test
    void oneKeyLeavesOneCounter() throws Exception {
        try (Keyhold keyhold = Setup.JEDIS_SCRIPTS.client(server.uri()).build()) {
            DistributedLock lock = keyhold.lock("invoice:42");
            holdOften(i -> lock);
        }
        assertThat(keys()).hasSize(1).first().isEqualTo(FencingCounter.of("invoice:42"));
        assertThat(console.text("PTTL", FencingCounter.of("invoice:42"))).isEqualTo("-1");
    }

    private static void holdOften(IntFunction<DistributedLock> lock) throws Exception {
        ExecutorService threads = TestThreads.executor();
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                work.add(threads.submit(() -> {
                    for (int i = first; i < MANY; i += THREADS) {
                        lock.apply(i).acquire().close();
                    }
                    return null;
                }));
            }
            for (Future<?> one : work) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void valueHasHolderAndTime(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease lease = keyhold.lock("l").acquire();
            String[] value = console.text("GET", "l").split(" ", -1);
            assertThat(value).hasSize(3).startsWith(lease.token(), Long.toString(lease.fencingToken()));
            assertThat(keyhold.inspect().lock("l").holders().get(0).heldSince())
                    .contains(Instant.EPOCH.plus(Long.parseLong(value[2]), ChronoUnit.MICROS));
            lease.release();
        }
        assertThat(keys()).hasSize(1).first().isEqualTo(FencingCounter.of("l"));
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void handOverLeavesNothing(Setup setup) throws Exception {
        LockOptions strict = LockOptions.builder().fairness(Fairness.STRICT).build();
        try (Keyhold first = setup.client(server.uri()).build();
                Keyhold second = setup.client(server.uri()).build()) {
            Lease held = first.lock("l", strict).acquire();
            CompletableFuture<Lease> waiting = second.lock("l", strict).acquireAsync();
            new ServerQueue(console, "l").await(1);
            held.release();
            Lease next = waiting.get();
            assertThat(console.text("GET", "{l}:kh:last")).isEqualTo(next.token());
            assertThat(Long.parseLong(console.text("PTTL", "{l}:kh:last"))).isPositive();
            next.release();
        }
        assertThat(keys()).hasSize(1).first().isEqualTo(FencingCounter.of("l"));
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void onlySemaphoreLeavesItsLimit(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease one = keyhold.readWriteLock("rw").readLock().acquireAsync().get();
            Lease two = keyhold.readWriteLock("rw").readLock().acquireAsync().get();
            one.release();
            assertThat(console.text("EXISTS", "{rw}:kh:permits")).isEqualTo("1");
            two.release();
            keyhold.readWriteLock("rw").writeLock().acquire().release();
            assertThat(keys()).hasSize(1).first().isEqualTo(FencingCounter.of("rw"));

            keyhold.semaphore("gpu", 4).acquire().release();
            assertThat(console.text("HGET", "{gpu}:kh:permits", "limit")).isEqualTo("4");
            assertThat(Long.parseLong(console.text("PTTL", "{gpu}:kh:permits")))
                    .isBetween(TimeUnit.HOURS.toMillis(23), TimeUnit.HOURS.toMillis(28));
        }
    }

    /** A counter that was lost, in a failover say, starts again above all earlier numbers. */
    @ParameterizedTest
    @EnumSource(Setup.class)
    void fencingTokensGrowWithoutTheirCounter(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            long last = 0;
            for (int i = 0; i < 100; i++) {
                Lease lease = keyhold.lock("l").acquire();
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
                lease.release();
                console.ask("DEL", FencingCounter.of("l"));
            }
        }
    }

    /** A counter that is ahead of the clock simulates a clock that was set back. */
    @ParameterizedTest
    @EnumSource(Setup.class)
    void fencingTokensGrowWhenClockIsBehind(Setup setup) throws Exception {
        try (Keyhold keyhold = setup.client(server.uri()).build()) {
            long ahead = (System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1)) * 1000;
            console.ask("SET", FencingCounter.of("l"), Long.toString(ahead));
            Lease first = keyhold.lock("l").acquire();
            assertThat(first.fencingToken()).isEqualTo(ahead + 64);
            assertThat(console.text("GET", "l")).startsWith(first.token() + " " + first.fencingToken() + " ");
            assertThat(Long.parseLong(console.text("PTTL", "l"))).isPositive();
            first.release();
            assertThat(keyhold.lock("l").acquire().fencingToken()).isEqualTo(ahead + 128);
        }
    }
}
