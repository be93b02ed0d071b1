package io.keyhold.tests.contract.lock;

import io.keyhold.spi.RedisCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The commands by which another library sets and deletes a lock: {@link StoreUnderTest#putForeign} and its reverse. */
final class ForeignCommands {

    private ForeignCommands() {}

    static RedisCall put(String key, String value, @Nullable Duration expiry) {
        return expiry == null
                ? RedisCall.of("SET", key, value)
                : RedisCall.of("SET", key, value, "PX", Long.toString(expiry.toMillis()));
    }

    static RedisCall remove(String key) {
        return RedisCall.of("DEL", key);
    }
}
