package io.keyhold.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.RedisClient;

/** Two clients with two threads each, as in two processes; who is inside is counted on the server. */
class EveryContenderExcludesTest {
    private static final int THREADS = 4;
    private static final int HOLDS = 5;
    private static final long WRITER = 1000;

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();
    private static final RedisClient REDIS = RedisClient.create(SERVER.host(), SERVER.port());
    private static final ExecutorService POOL = Executors.newFixedThreadPool(THREADS);

    private long unguarded;

    /** Where a quorum votes; who is inside is counted on the other one. */
    private static final List<EmbeddedRedis> NODES =
            List.of(EmbeddedRedis.start(), EmbeddedRedis.start(), EmbeddedRedis.start());

    @AfterAll
    static void close() {
        NODES.forEach(EmbeddedRedis::close);
        POOL.shutdownNow();
        REDIS.close();
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("locks")
    void neverTwoInside(Entrant entrant) throws Exception {
        String base = "self-test:" + entrant.id();
        String key = base + ":0";
        try (Contender one = entrant.open(OpenOptions.defaults(SERVER.uri()));
                Contender other = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                ContenderLock lock = (thread % 2 == 0 ? one : other).lock(key);
                most.add(POOL.submit(() -> mostInside(lock, key + ":inside", 1)));
            }
            for (Future<Long> inside : most) {
                assertThat(inside.get()).as("inside at once").isEqualTo(1);
            }
            assertThat(unguarded).as("entries").isEqualTo(THREADS * HOLDS);
            assertThat(REDIS.exists(entrant.redisKeys(base, 1).get(0)))
                    .as("the lock after its last release")
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("locks")
    void holdsTheKeyThatItIsSaidToHold(Entrant entrant) throws Exception {
        try (Contender contender = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            ContenderLock lock = contender.lock("key-test:0");
            lock.acquire();
            assertThat(REDIS.exists(entrant.redisKeys("key-test", 1).get(0))).isTrue();
            lock.release();
            assertThat(REDIS.exists(entrant.redisKeys("key-test", 1).get(0))).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    void neverMoreInsideThanPermits(Entrant entrant) throws Exception {
        String key = "permits-test:" + entrant.id();
        try (Contender one = entrant.open(OpenOptions.defaults(SERVER.uri()));
                Contender other = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                ContenderLock permit = (thread % 2 == 0 ? one : other).semaphore(key, 2);
                most.add(POOL.submit(() -> mostInside(permit, key + ":inside", 1)));
            }
            for (Future<Long> inside : most) {
                assertThat(inside.get()).as("inside at once").isBetween(1L, 2L);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("readWriteLocks")
    void aWriterIsAloneAndReadersAreNot(Entrant entrant) throws Exception {
        String key = "read-write-test:" + entrant.id();
        try (Contender one = entrant.open(OpenOptions.defaults(SERVER.uri()));
                Contender other = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            one.readWriteLock(key).read().acquire();
            ReadWritePair second = other.readWriteLock(key);
            second.read().acquire();
            second.read().release();
        }
        String fresh = key + ":2";
        try (Contender one = entrant.open(OpenOptions.defaults(SERVER.uri()));
                Contender other = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> readers = new ArrayList<>();
            List<Future<Long>> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                ReadWritePair lock = (thread % 2 == 0 ? one : other).readWriteLock(fresh);
                boolean reads = thread < THREADS / 2;
                (reads ? readers : writers)
                        .add(POOL.submit(() -> reads
                                ? mostInside(lock.read(), fresh + ":inside", 1)
                                : mostInside(lock.write(), fresh + ":inside", WRITER)));
            }
            for (Future<Long> inside : writers) {
                assertThat(inside.get()).as("inside beside a writer").isEqualTo(WRITER);
            }
            for (Future<Long> inside : readers) {
                assertThat(inside.get()).as("inside beside a reader").isLessThanOrEqualTo(THREADS / 2);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("severalLocks")
    void severalLocksAreLocks(Entrant entrant) throws Exception {
        String key = "all-of-test:" + entrant.id();
        try (Contender one = entrant.open(OpenOptions.defaults(SERVER.uri()));
                Contender other = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                ContenderLock lock = (thread % 2 == 0 ? one : other).allOf(List.of(key + thread % 2, key + "shared"));
                most.add(POOL.submit(() -> mostInside(lock, key + ":inside", 1)));
            }
            for (Future<Long> inside : most) {
                assertThat(inside.get()).as("inside at once").isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("quorumLocks")
    void aQuorumIsALock(Entrant entrant) throws Exception {
        String key = "quorum-test:" + entrant.id();
        OpenOptions nodes =
                OpenOptions.defaults(NODES.stream().map(EmbeddedRedis::uri).toArray(String[]::new));
        try (Contender one = entrant.open(nodes);
                Contender other = entrant.open(nodes)) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                ContenderLock lock = (thread % 2 == 0 ? one : other).lock(key);
                most.add(POOL.submit(() -> mostInside(lock, key + ":inside", 1)));
            }
            for (Future<Long> inside : most) {
                assertThat(inside.get()).as("inside at once").isEqualTo(1);
            }
            assertThat(unguarded).as("entries").isEqualTo(THREADS * HOLDS);
            assertThat(REDIS.exists(key)).as("on the server that has no vote").isFalse();
            ContenderLock lock = one.lock(key);
            lock.acquire();
            assertThat(nodesWith(key)).as("nodes that have the lock").isGreaterThan(NODES.size() / 2);
            lock.release();
            assertThat(nodesWith(key))
                    .as("nodes that have it after the release")
                    .isLessThanOrEqualTo(NODES.size() / 2);
        }
    }

    private static long nodesWith(String key) {
        long found = 0;
        for (EmbeddedRedis node : NODES) {
            try (RedisClient redis = RedisClient.create(node.host(), node.port())) {
                found += redis.exists(key) ? 1 : 0;
            }
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource(names = {"KEYHOLD_JEDIS", "KEYHOLD_LETTUCE"})
    void occupiesPermitsForLong(Entrant entrant) {
        String key = "occupy-test:" + entrant.id();
        try (Contender contender = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            contender.occupy(key, 5000, 1234);
            assertThat(REDIS.zcard(key)).isEqualTo(1234);
            assertThat(REDIS.pttl(key)).isGreaterThan(60_000);
        }
    }

    static Stream<Entrant> locks() {
        return offering(Primitive.LOCK);
    }

    static Stream<Entrant> semaphores() {
        return offering(Primitive.SEMAPHORE);
    }

    static Stream<Entrant> readWriteLocks() {
        return offering(Primitive.READ_WRITE);
    }

    static Stream<Entrant> severalLocks() {
        return offering(Primitive.ALL_OF);
    }

    static Stream<Entrant> quorumLocks() {
        return offering(Primitive.QUORUM_LOCK);
    }

    private static Stream<Entrant> offering(Primitive primitive) {
        return Arrays.stream(Entrant.values()).filter(entrant -> entrant.offers(primitive));
    }

    private long mostInside(ContenderLock lock, String counter, long weight) throws InterruptedException {
        long most = 0;
        for (int hold = 0; hold < HOLDS; hold++) {
            lock.acquire();
            most = Math.max(most, REDIS.incrBy(counter, weight));
            unguarded++;
            REDIS.decrBy(counter, weight);
            lock.release();
        }
        return most;
    }
}
