package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;

/** What the accounts say when the run is over. */
final class Verdict {

    private static final int EVENTS_TOLD = 60;
    private static final int FAILURES_TOLD = 40;
    private static final int ENOUGH = 20;

    /** A limit for safety: most of the time there is enough when the run is over. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChaosKind kind;
    private final Jedis redis;
    private final List<String> failures = new ArrayList<>();

    Verdict(ChaosKind kind, Jedis redis) {
        this.kind = kind;
        this.redis = redis;
    }

    void add(List<String> findings) {
        failures.addAll(findings);
    }

    /** Returns when enough was done on each key, or will not be any more: on a slow machine work comes late. */
    void awaitEnough() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!kind.keys().stream().allMatch(this::isEnough) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Whether the accounts at the server are in order, and what the workers found. */
    void judge() {
        for (String key : kind.keys()) {
            if (isCounted()) {
                judgeCounter(key);
            }
            if (!isEnough(key)) {
                failures.add("only " + redis.hgetAll(book(key)) + " at " + key + ": this was no test");
            }
        }
        failures.addAll(redis.lrange(GuardedCounter.VIOLATIONS, 0, -1));
    }

    /** Whether the counter equals the number of its writes. */
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
            case SEMAPHORE -> isShared(key, SemaphoreContest.PERMITS);
            case READ_WRITE -> isShared(key, ReadWriteContest.READERS);
        };
    }

    /** Whether it came to sharing, and to the limit; what went beyond that was found when it happened. */
    private boolean isShared(String key, long most) {
        return number(book(key), "entries") >= ENOUGH
                && number(book(key), "together") >= 2
                && number(book(key), "most") >= most;
    }

    /** Where what was done on a key is written. */
    private String book(String key) {
        return isCounted() ? GuardedCounter.ledger(key) : Attendance.book(key);
    }

    private boolean isCounted() {
        return switch (kind) {
            case LOCKS, ALL_OF, QUORUM -> true;
            case SEMAPHORE, READ_WRITE -> false;
        };
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

    /** The last that happened at each key, latest first. */
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
