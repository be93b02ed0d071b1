package io.keyhold.tests.stress;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.Jedis;

/**
 * What the locks of a chaos run protect: a counter for each key, which refuses holders with an old fencing token. It is in the
 * same Redis, but on a separate connection without faults, so that no outcome is ever unknown. One for each thread.
 *
 * <p>The increment is deliberately not atomic: {@link #open} reads and {@link #write} writes what the caller computed.
 * Fencing alone makes the counter end exact, provided that no two holds have the same token; that the holders were alone
 * as well is what the caller finds out by asking its lease after each step.
 */
final class GuardedCounter implements AutoCloseable {

    /** The prefix of all keys of this class; no key of Keyhold has it. */
    static final String PREFIX = "ledger:";

    static final String VIOLATIONS = PREFIX + "violations";
    static final String STATISTICS = PREFIX + "statistics";

    /** The hash with the heartbeat of each process: a number that grows. */
    static final String PULSES = PREFIX + "pulses";

    private static final String OPEN = script("open.lua");
    private static final String WRITE = script("write.lua");

    private final Jedis redis;

    GuardedCounter(String host, int port) {
        redis = new Jedis(host, port, 20_000);
    }

    static String ledger(String key) {
        return PREFIX + "counter:" + key;
    }

    static String events(String key) {
        return PREFIX + "events:" + key;
    }

    /** Returns the hash whose fields are the waiters of this key. */
    static String waiting(String key) {
        return PREFIX + "waiting:" + key;
    }

    /** The outcome of the first step. */
    record Opening(String outcome, long counter) {
        boolean isBehind() {
            return outcome.equals("behind");
        }
    }

    Opening open(String key, long fence, String hold) {
        Object reply =
                redis.eval(OPEN, List.of(ledger(key), events(key), VIOLATIONS), List.of(Long.toString(fence), hold));
        List<?> parts = (List<?>) reply;
        return new Opening((String) parts.get(0), (Long) parts.get(1));
    }

    /** Whether the write was accepted. */
    boolean write(String key, long fence, String hold, long counter) {
        Object reply = redis.eval(
                WRITE, List.of(ledger(key), events(key)), List.of(Long.toString(fence), hold, Long.toString(counter)));
        return "written".equals(reply);
    }

    void waits(String key, String who) {
        redis.hset(waiting(key), who, "1");
    }

    void waitsNoMore(String key, String who) {
        redis.hdel(waiting(key), who);
    }

    /** Records a violation on the server, so that it survives this process. */
    void violation(String what) {
        redis.rpush(VIOLATIONS, what);
    }

    void count(String what) {
        redis.hincrBy(STATISTICS, what, 1);
    }

    /** The server's clock. */
    long serverMicros() {
        List<String> time = redis.time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    Object run(String script, List<String> keys, List<String> arguments) {
        return redis.eval(script, keys, arguments);
    }

    void forget(String list, String member) {
        redis.zrem(list, member);
    }

    void pulse(String process) {
        redis.hincrBy(PULSES, process, 1);
    }

    @Override
    public void close() {
        redis.close();
    }

    static String script(String file) {
        try (InputStream text = GuardedCounter.class.getResourceAsStream(file)) {
            if (text == null) {
                throw new IllegalStateException(file + " is missing");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
