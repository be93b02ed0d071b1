package io.keyhold.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;

/** Two clients with two threads each, as in two processes; who is inside is counted on the server. */
class EveryContenderExcludesTest {
    private static final int THREADS = 4;
    private static final int HOLDS = 5;

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();
    private static final RedisClient REDIS = RedisClient.create(SERVER.host(), SERVER.port());
    private static final ExecutorService POOL = Executors.newFixedThreadPool(THREADS);

    private long unguarded;

    @AfterAll
    static void close() {
        POOL.shutdownNow();
        REDIS.close();
        SERVER.close();
    }

    @ParameterizedTest
    @EnumSource
    void neverTwoInside(Entrant entrant) throws Exception {
        String base = "self-test:" + entrant.id();
        String key = base + ":0";
        try (Contender one = entrant.open(OpenOptions.defaults(SERVER.uri()));
                Contender other = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            List<Future<Long>> most = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                ContenderLock lock = (thread % 2 == 0 ? one : other).lock(key);
                most.add(POOL.submit(() -> mostInside(lock, key + ":inside")));
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
    @EnumSource
    void holdsTheKeyThatItIsSaidToHold(Entrant entrant) throws Exception {
        try (Contender contender = entrant.open(OpenOptions.defaults(SERVER.uri()))) {
            ContenderLock lock = contender.lock("key-test:0");
            lock.acquire();
            assertThat(REDIS.exists(entrant.redisKeys("key-test", 1).get(0))).isTrue();
            lock.release();
            assertThat(REDIS.exists(entrant.redisKeys("key-test", 1).get(0))).isFalse();
        }
    }

    private long mostInside(ContenderLock lock, String counter) throws InterruptedException {
        long most = 0;
        for (int hold = 0; hold < HOLDS; hold++) {
            lock.acquire();
            most = Math.max(most, REDIS.incr(counter));
            unguarded++;
            REDIS.decr(counter);
            lock.release();
        }
        return most;
    }
}
