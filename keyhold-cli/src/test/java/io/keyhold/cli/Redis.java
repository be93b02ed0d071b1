package io.keyhold.cli;

import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisUri;
import java.util.Objects;

/** Sends commands to a server. */
final class Redis implements AutoCloseable {

    private final JedisDriver driver;

    Redis(String uri) {
        driver = JedisDriver.open(RedisUri.parse(LongTimeouts.of(uri)));
    }

    /** Returns the reply; an empty string for null. */
    Object call(String command, String... arguments) {
        Object reply = driver.call(RedisCall.of(command, arguments), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
        return Objects.requireNonNullElse(reply, "");
    }

    @Override
    public void close() {
        driver.close();
    }
}
