package io.keyhold.tests;

import java.util.stream.IntStream;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The key of the fencing counter that a lock shares with all others of its hash slot; docs/keys.md has the rule. */
public final class FencingCounter {

    private FencingCounter() {}

    /** Returns the key of the counter, found with another implementation of the hash than Keyhold's. */
    public static String of(String key) {
        int slot = JedisClusterCRC16.getSlot(key);
        int tag = IntStream.iterate(0, i -> i + 1)
                .filter(i -> JedisClusterCRC16.getSlot(Integer.toString(i)) == slot)
                .findFirst()
                .orElseThrow();
        return "{" + tag + "}:kh:fence";
    }
}
