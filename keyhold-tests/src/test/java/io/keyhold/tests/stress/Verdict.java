package io.keyhold.tests.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import redis.clients.jedis.Jedis;

/** What the accounts say when the storm is over. */
final class Verdict {

    private static final int EVENTS_TOLD = 60;
    private static final int FAILURES_TOLD = 40;
    private static final int ENOUGH = 20;

    private final StormKind kind;
    private final Jedis redis;
    private final List<String> failures = new ArrayList<>();

    Verdict(StormKind kind, Jedis redis) {
        this.kind = kind;
        this.redis = redis;
    }

    void add(List<String> findings) {
        failures.addAll(findings);
    }

    /** Whether the accounts at the server are in order, and what the workers found. */
    void judge() {
        for (String key : kind.keys()) {
            switch (kind) {
                case LOCKS, ALL_OF, QUORUM -> judgeCounter(key);
                case SEMAPHORE -> judgeAttendance(key, 2, SemaphoreContest.PERMITS);
                case READ_WRITE -> judgeAttendance(key, 2, ReadWriteContest.READERS);
            }
        }
        failures.addAll(redis.lrange(GuardedCounter.VIOLATIONS, 0, -1));
    }

    /** Whether the counter equals the number of its writes. */
    private void judgeCounter(String key) {
        long counter = number(GuardedCounter.ledger(key), "counter");
        long writes = number(GuardedCounter.ledger(key), "writes");
        if (counter != writes) {
            failures.add("the counter of " + key + " is " + counter + " after " + writes + " increments");
        }
        if (writes < ENOUGH) {
            failures.add("only " + writes + " increments of " + key + ": this was no test");
        }
    }

    /** Whether it came to sharing, and to the limit; what went beyond that was found when it happened. */
    private void judgeAttendance(String key, long together, long most) {
        String book = Attendance.book(key);
        if (number(book, "entries") < ENOUGH || number(book, "together") < together || number(book, "most") < most) {
            failures.add("only " + redis.hgetAll(book) + " at " + key + ": this was no test");
        }
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
