package io.keyhold.tests.interop;

import io.keyhold.tests.Console;

/** A critical section, the same as in {@code worker.js}: a count that is read and written in two steps. */
final class CriticalSection {

    private final Console redis;
    private final String key;

    CriticalSection(Console redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    /** Increments the count; returns false if the goal was reached already. Fails if another client is inside. */
    boolean countUpTo(int goal) {
        if (!Long.valueOf(1).equals(redis.ask("SETNX", key + ":inside", "keyhold"))) {
            throw new AssertionError("keyhold came in while " + redis.ask("GET", key + ":inside") + " was inside");
        }
        int count = count();
        if (count < goal) {
            redis.ask("SET", key + ":count", Integer.toString(count + 1));
        }
        redis.ask("DEL", key + ":inside");
        return count < goal;
    }

    int count() {
        Object count = redis.ask("GET", key + ":count");
        return count == null ? 0 : Integer.parseInt(count.toString());
    }
}
