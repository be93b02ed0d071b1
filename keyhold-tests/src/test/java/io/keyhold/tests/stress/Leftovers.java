package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;

/** What locks leave on a server when nobody uses them any more. */
final class Leftovers {

    private Leftovers() {}

    /** Waits until only fencing counters and the numbers of semaphores are left, no longer than this, and tells what else there is. */
    static List<String> after(Duration patience, Jedis redis) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        List<String> left = look(redis);
        while (!left.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
            left = look(redis);
        }
        return left;
    }

    private static List<String> look(Jedis redis) {
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
