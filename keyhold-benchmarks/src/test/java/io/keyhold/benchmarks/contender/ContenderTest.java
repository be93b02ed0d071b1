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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.RedisClient;

/** Every contender excludes: two clients with two threads each, as in two processes, and holders counted on the server. */
class ContenderTest {
    private static final int THREADS = 4;
    private static final int HOLDS = 5;
    private static final long WRITER = 1000;

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();
    private static final RedisClient REDIS = RedisClient.create(SERVER.host(), SERVER.port());
    private static final ExecutorService POOL = Executors.newFixedThreadPool(THREADS);

    private long unsynchronized;

    /** The nodes of a quorum; holders are counted on the other server. */
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
    void lockHasOneHolder(Contender contender) throws Exception {
        String base = "self-test:" + contender.id();
        String key = base + ":0";
        try (LockClient one = contender.open(OpenOptions.defaults(SERVER.uri()));
                LockClient other = contender.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                LockHandle lock = (thread % 2 == 0 ? one : other).lock(key);
                most.add(POOL.submit(() -> mostHolders(lock, key + ":holders", 1)));
            }
            for (Future<Long> holders : most) {
                assertThat(holders.get()).as("holders at once").isEqualTo(1);
            }
            assertThat(unsynchronized).as("holds").isEqualTo(THREADS * HOLDS);
            assertThat(REDIS.exists(contender.redisKeys(base, 1).get(0)))
                    .as("the lock after its last release")
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("locks")
    void heldLockHasItsKey(Contender contender) throws Exception {
        try (LockClient client = contender.open(OpenOptions.defaults(SERVER.uri()))) {
            LockHandle lock = client.lock("key-test:0");
            lock.acquire();
            assertThat(REDIS.exists(contender.redisKeys("key-test", 1).get(0))).isTrue();
            lock.release();
            assertThat(REDIS.exists(contender.redisKeys("key-test", 1).get(0))).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("semaphores")
    void semaphoreLimitsItsHolders(Contender contender) throws Exception {
        String key = "permits-test:" + contender.id();
        try (LockClient one = contender.open(OpenOptions.defaults(SERVER.uri()));
                LockClient other = contender.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                LockHandle permit = (thread % 2 == 0 ? one : other).semaphore(key, 2);
                most.add(POOL.submit(() -> mostHolders(permit, key + ":holders", 1)));
            }
            for (Future<Long> holders : most) {
                assertThat(holders.get()).as("holders at once").isBetween(1L, 2L);
            }
        }
    }

    @ParameterizedTest
    @Tag("full")
    @MethodSource("readWriteLocks")
    void writerExcludesReaders(Contender contender) throws Exception {
        String key = "read-write-test:" + contender.id();
        try (LockClient one = contender.open(OpenOptions.defaults(SERVER.uri()));
                LockClient other = contender.open(OpenOptions.defaults(SERVER.uri()))) {
            one.readWriteLock(key).read().acquire();
            ReadWriteHandles second = other.readWriteLock(key);
            second.read().acquire();
            second.read().release();
        }
        String fresh = key + ":2";
        try (LockClient one = contender.open(OpenOptions.defaults(SERVER.uri()));
                LockClient other = contender.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> readers = new ArrayList<>();
            List<Future<Long>> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                ReadWriteHandles lock = (thread % 2 == 0 ? one : other).readWriteLock(fresh);
                boolean reads = thread < THREADS / 2;
                (reads ? readers : writers)
                        .add(POOL.submit(() -> reads
                                ? mostHolders(lock.read(), fresh + ":holders", 1)
                                : mostHolders(lock.write(), fresh + ":holders", WRITER)));
            }
            for (Future<Long> holders : writers) {
                assertThat(holders.get()).as("holders beside a writer").isEqualTo(WRITER);
            }
            for (Future<Long> holders : readers) {
                assertThat(holders.get()).as("holders beside a reader").isLessThanOrEqualTo(THREADS / 2);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("severalLocks")
    void severalLocksExclude(Contender contender) throws Exception {
        String key = "all-of-test:" + contender.id();
        try (LockClient one = contender.open(OpenOptions.defaults(SERVER.uri()));
                LockClient other = contender.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                LockHandle lock = (thread % 2 == 0 ? one : other).allOf(List.of(key + thread % 2, key + "shared"));
                most.add(POOL.submit(() -> mostHolders(lock, key + ":holders", 1)));
            }
            for (Future<Long> holders : most) {
                assertThat(holders.get()).as("holders at once").isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @Tag("full")
    @MethodSource("quorumLocks")
    void quorumLockHasOneHolder(Contender contender) throws Exception {
        String key = "quorum-test:" + contender.id();
        OpenOptions nodes =
                OpenOptions.defaults(NODES.stream().map(EmbeddedRedis::uri).toArray(String[]::new));
        try (LockClient one = contender.open(nodes);
                LockClient other = contender.open(nodes)) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                LockHandle lock = (thread % 2 == 0 ? one : other).lock(key);
                most.add(POOL.submit(() -> mostHolders(lock, key + ":holders", 1)));
            }
            for (Future<Long> holders : most) {
                assertThat(holders.get()).as("holders at once").isEqualTo(1);
            }
            assertThat(unsynchronized).as("holds").isEqualTo(THREADS * HOLDS);
            assertThat(REDIS.exists(key)).as("on the server outside the quorum").isFalse();
            LockHandle lock = one.lock(key);
            lock.acquire();
            assertThat(nodesWith(key)).as("nodes with the lock").isGreaterThan(NODES.size() / 2);
            lock.release();
            assertThat(nodesWith(key))
                    .as("nodes with the lock after the release")
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
    @Tag("full")
    @EnumSource(names = {"KEYHOLD_JEDIS", "KEYHOLD_LETTUCE"})
    void occupiedPermitsAreKept(Contender contender) {
        String key = "occupy-test:" + contender.id();
        try (LockClient client = contender.open(OpenOptions.defaults(SERVER.uri()))) {
            client.occupy(key, 5000, 1234);
            assertThat(REDIS.zcard(key)).isEqualTo(1234);
            assertThat(REDIS.pttl(key)).isGreaterThan(60_000);
        }
    }

    static Stream<Contender> locks() {
        return offering(Primitive.LOCK);
    }

    static Stream<Contender> semaphores() {
        return offering(Primitive.SEMAPHORE);
    }

    static Stream<Contender> readWriteLocks() {
        return offering(Primitive.READ_WRITE);
    }

    static Stream<Contender> severalLocks() {
        return offering(Primitive.ALL_OF);
    }

    static Stream<Contender> quorumLocks() {
        return offering(Primitive.QUORUM_LOCK);
    }

    private static Stream<Contender> offering(Primitive primitive) {
        return Arrays.stream(Contender.values()).filter(contender -> contender.offers(primitive));
    }

    private long mostHolders(LockHandle lock, String counter, long weight) throws InterruptedException {
        long most = 0;
        for (int hold = 0; hold < HOLDS; hold++) {
            lock.acquire();
            most = Math.max(most, REDIS.incrBy(counter, weight));
            unsynchronized++;
            REDIS.decrBy(counter, weight);
            lock.release();
        }
        return most;
    }
}
