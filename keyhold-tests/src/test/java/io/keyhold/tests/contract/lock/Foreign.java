package io.keyhold.tests.contract.lock;

import io.keyhold.spi.RedisCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a client of another make does to a lock: the commands of {@link StoreUnderTest#putForeign} and its reverse. */
final class Foreign {

    private Foreign() {}

    static RedisCall put(String key, String value, @Nullable Duration expiry) {
        return expiry == null
                ? RedisCall.of("SET", key, value)
                : RedisCall.of("SET", key, value, "PX", Long.toString(expiry.toMillis()));
    }

    static RedisCall remove(String key) {
        return RedisCall.of("DEL", key);
    }
}
