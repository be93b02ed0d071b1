package io.keyhold.console.browser;

import java.time.Duration;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.params.SetParams;

/** Writes what clients write, in the form of docs/keys.md: more of it than they could in a short time, or what they never would. */
final class RawLocks {

    private static final int LIMIT_MILLIS = 20_000;

    private RawLocks() {}

    /** Appends a waiter to the queue of a lock. */
    static void enqueue(int port, String key, String token) {
        try (Jedis jedis = connect(port)) {
            jedis.rpush(queue(key), "nobody 1 30000 " + System.currentTimeMillis() + " 1 " + token);
        }
    }

    static void deleteQueue(int port, String key) {
        try (Jedis jedis = connect(port)) {
            jedis.del(queue(key));
        }
    }

    private static Jedis connect(int port) {
        return new Jedis("127.0.0.1", port, LIMIT_MILLIS);
    }

    private static String queue(String key) {
        return "{" + key + "}:kh:queue";
    }

    /** Writes locks of as many keys. */
    static void create(int port, int count, Duration lease) {
        long now = System.currentTimeMillis() * 1000;
        try (Jedis jedis = connect(port);
                Pipeline pipeline = jedis.pipelined()) {
            for (int i = 0; i < count; i++) {
                String token = "worker-%d@host-%d:%d:%032x.1".formatted(i % 50, i % 20, 1000 + i, i);
                pipeline.set(
                        "many:%d:%d".formatted(i / 100, i),
                        "%s %d %d".formatted(token, i + 1, now - i * 1000L),
                        SetParams.setParams().px(lease.toMillis()));
            }
            pipeline.sync();
        }
    }
}
