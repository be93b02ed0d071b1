package io.keyhold.tests;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;

import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisUri;
import org.jspecify.annotations.Nullable;

/** An operator's connection to a server: plain commands, failures thrown. */
public final class Console implements AutoCloseable {

    private final JedisDriver driver;

    public Console(String uri) {
        driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(uri + "?clientName=console")));
    }

    /** The reply, as the driver's contract says. */
    public @Nullable Object ask(String command, String... arguments) {
        return driver.call(RedisCall.of(command, arguments), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }

    /** The reply as text. */
    public String text(String command, String... arguments) {
        return String.valueOf(ask(command, arguments));
    }

    /** The server's clock in microseconds. */
    public long micros() {
        Object time = ask("TIME");
        if (time instanceof java.util.List<?> parts) {
            return Long.parseLong((String) parts.get(0)) * 1_000_000 + Long.parseLong((String) parts.get(1));
        }
        throw new AssertionError("TIME returned " + time);
    }

    /** Returns the number of connections with that name, without this one. */
    public long connectionsNamed(String name) {
        return text("CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains(" name=" + name + " "))
                .count();
    }

    @Override
    public void close() {
        driver.close();
    }
}
