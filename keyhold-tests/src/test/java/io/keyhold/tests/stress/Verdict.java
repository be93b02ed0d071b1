package io.keyhold.tests.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import redis.clients.jedis.Jedis;

/** What the counters say when the storm is over. */
final class Verdict {

    private static final int EVENTS_TOLD = 60;
    private static final int FAILURES_TOLD = 40;

    private final Jedis redis;
    private final List<String> failures = new ArrayList<>();

    Verdict(Jedis redis) {
        this.redis = redis;
    }

    void add(List<String> findings) {
        failures.addAll(findings);
    }

    /** Whether each counter equals the number of its writes, and what the workers found. */
    void judgeCounters() {
        for (String key : StormSettings.KEYS) {
            long counter = number(key, "counter");
            long writes = number(key, "writes");
            if (counter != writes) {
                failures.add("the counter of " + key + " is " + counter + " after " + writes + " increments");
            }
            if (writes < 20) {
                failures.add("only " + writes + " increments of " + key + ": this was no test");
            }
        }
        failures.addAll(redis.lrange(GuardedCounter.VIOLATIONS, 0, -1));
    }

    /** The first of them; thousands say no more than these. */
    List<String> failures() {
        List<String> told = new ArrayList<>(failures.subList(0, Math.min(failures.size(), FAILURES_TOLD)));
        if (told.size() < failures.size()) {
            told.add("and " + (failures.size() - told.size()) + " more");
        }
        return told;
    }

    /** How often everything happened that should. */
    Map<String, String> statistics() {
        return new TreeMap<>(redis.hgetAll(GuardedCounter.STATISTICS));
    }

    /** The last that happened at each counter, latest first. */
    String lastEvents() {
        StringBuilder text = new StringBuilder();
        for (String key : StormSettings.KEYS) {
            text.append("\nlast events of ").append(key).append(", latest first:\n  ");
            text.append(String.join("\n  ", redis.lrange(GuardedCounter.events(key), 0, EVENTS_TOLD - 1)));
        }
        return text.toString();
    }

    private long number(String key, String field) {
        String value = redis.hget(GuardedCounter.ledger(key), field);
        return value == null ? 0 : Long.parseLong(value);
    }
}
