package io.keyhold.tests.interop;

import io.keyhold.tests.Console;

/** What must not be done by two at once, as {@code worker.js} does it too: a count that is read and written in two steps. */
final class CriticalSection {

    private final Console redis;
    private final String key;

    CriticalSection(Console redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    /** Counts one more; answers false if the goal was reached already. Fails if somebody else is inside. */
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
