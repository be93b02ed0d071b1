package io.keyhold.tests.interop;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import org.jspecify.annotations.Nullable;

/** What must not be done by two at once, as {@code worker.js} does it too: a count that is read and written in two steps. */
final class CriticalSection {

    private final RedisDriver redis;
    private final String key;

    CriticalSection(RedisDriver redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    /** Counts one more; answers false if the goal was reached already. Fails if somebody else is inside. */
    boolean countUpTo(int goal) {
        if (!Long.valueOf(1).equals(call("SETNX", key + ":inside", "keyhold"))) {
            throw new AssertionError("keyhold came in while " + call("GET", key + ":inside") + " was inside");
        }
        int count = count();
        if (count < goal) {
            call("SET", key + ":count", Integer.toString(count + 1));
        }
        call("DEL", key + ":inside");
        return count < goal;
    }

    int count() {
        Object count = call("GET", key + ":count");
        return count == null ? 0 : Integer.parseInt(count.toString());
    }

    private @Nullable Object call(String command, String... arguments) {
        return redis.call(RedisCall.of(command, arguments), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }
}
