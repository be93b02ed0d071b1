package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;

/** The keys that are left on a server after use. */
final class LeftoverKeys {

    private LeftoverKeys() {}

    /** Waits, up to this time, until only fencing counters and the numbers of semaphores are left, and returns the other keys. */
    static List<String> after(Duration timeLimit, Jedis redis) throws InterruptedException {
        long end = System.nanoTime() + timeLimit.toNanos();
        List<String> left = find(redis);
        while (!left.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
            left = find(redis);
        }
        return left;
    }

    private static List<String> find(Jedis redis) {
        Set<String> keys = new TreeSet<>(redis.keys("*"));
        keys.removeIf(key -> key.startsWith(GuardedCounter.PREFIX));
        List<String> left = new ArrayList<>();
        for (String key : keys) {
            long pttl = redis.pttl(key);
            if (key.endsWith(":kh:fence")) {
                continue; // The counter of a slot stays.
            }
            if (!key.endsWith(":kh:permits")) {
                String type = redis.type(key);
                left.add("left behind: " + key + " (" + type + ", PTTL " + pttl + ")"
                        + (type.equals("list") ? ": " + redis.lrange(key, 0, -1) : ""));
            } else if (pttl == -1) {
                left.add("kept for ever: " + key);
            }
        }
        return left;
    }
}
