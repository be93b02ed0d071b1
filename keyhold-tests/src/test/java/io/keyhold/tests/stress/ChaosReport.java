package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;

/** Checks the records of a run at its end, and reports them. */
final class ChaosReport {

    private static final int EVENTS_TOLD = 60;
    private static final int FAILURES_TOLD = 40;
    private static final int ENOUGH = 20;

    /** A safety limit: usually there is enough work at the end of the run. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private final ChaosKind kind;
    private final Jedis redis;
    private final List<String> failures = new ArrayList<>();

    ChaosReport(ChaosKind kind, Jedis redis) {
        this.kind = kind;
        this.redis = redis;
    }

    void add(List<String> findings) {
        failures.addAll(findings);
    }

    /** Returns when each key has had enough work, or after a time limit: on a slow machine work comes late. */
    void awaitEnough() throws InterruptedException {
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        while (!kind.keys().stream().allMatch(this::isEnough) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Checks the records on the server, and adds the findings of the workers. */
    void judge() {
        for (String key : kind.keys()) {
            if (isCounted()) {
                judgeCounter(key);
            }
            if (!isEnough(key)) {
                failures.add("only " + redis.hgetAll(book(key)) + " at " + key + ": too little for a test");
            }
        }
        failures.addAll(redis.lrange(GuardedCounter.VIOLATIONS, 0, -1));
    }

    /** Checks that the counter equals the number of its writes. */
    private void judgeCounter(String key) {
        long counter = number(book(key), "counter");
        long writes = number(book(key), "writes");
        if (counter != writes) {
            failures.add("the counter of " + key + " is " + counter + " after " + writes + " increments");
        }
    }

    private boolean isEnough(String key) {
        return switch (kind) {
            case LOCKS, ALL_OF, QUORUM -> number(book(key), "writes") >= ENOUGH;
            case SEMAPHORE -> isShared(key, SemaphoreWorkload.PERMITS);
            case READ_WRITE -> isShared(key, ReadWriteWorkload.READERS);
        };
    }

    /** Whether holders shared it up to the limit; holds beyond the limit were reported when they happened. */
    private boolean isShared(String key, long most) {
        return number(book(key), "entries") >= ENOUGH
                && number(book(key), "together") >= 2
                && number(book(key), "most") >= most;
    }

    /** Returns the hash with the records of a key. */
    private String book(String key) {
        return isCounted() ? GuardedCounter.ledger(key) : OccupancyCheck.book(key);
    }

    private boolean isCounted() {
        return switch (kind) {
            case LOCKS, ALL_OF, QUORUM -> true;
            case SEMAPHORE, READ_WRITE -> false;
        };
    }

    /** Returns the first failures; thousands say no more than these. */
    List<String> failures() {
        List<String> told = new ArrayList<>(failures.subList(0, Math.min(failures.size(), FAILURES_TOLD)));
        if (told.size() < failures.size()) {
            told.add("and " + (failures.size() - told.size()) + " more");
        }
        return told;
    }

    /** Returns how often each event happened. */
    Map<String, String> statistics() {
        return new TreeMap<>(redis.hgetAll(GuardedCounter.STATISTICS));
    }

    /** Returns the last events of each key, latest first. */
    String lastEvents() {
        StringBuilder text = new StringBuilder();
        for (String key : kind.keys()) {
            text.append("\nlast events of ").append(key).append(", latest first:\n  ");
            text.append(String.join("\n  ", redis.lrange(GuardedCounter.events(key), 0, EVENTS_TOLD - 1)));
        }
        return text.toString();
    }

    private long number(String hash, String field) {
        String value = redis.hget(hash, field);
        return value == null ? 0 : Long.parseLong(value);
    }
}
