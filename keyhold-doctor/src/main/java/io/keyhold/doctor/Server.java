package io.keyhold.doctor;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A server to check. The reply to INFO is cached, so that all checks see the same state. */
public final class Server implements AutoCloseable {

    private final RedisDriver driver;
    private @Nullable ServerInfo info;

    /** Wraps a driver, and closes it in {@link #close}. */
    public Server(RedisDriver driver) {
        this.driver = driver;
    }

    /** Returns host and port. */
    public String address() {
        return driver.address();
    }

    RedisDriver driver() {
        return driver;
    }

    @Nullable
    Object call(String command, String... arguments) {
        return await(driver.call(RedisCall.of(command, arguments), CallMode.BLOCKING));
    }

    /** Returns the time of the server's clock. */
    public Instant time() {
        List<?> time = (List<?>) Objects.requireNonNull(call("TIME"), "TIME");
        return Instant.ofEpochSecond(
                Long.parseLong(String.valueOf(time.get(0))), 1_000 * Long.parseLong(String.valueOf(time.get(1))));
    }

    List<@Nullable Object> pipeline(List<RedisCall> calls) {
        return await(driver.withSession(CallMode.BLOCKING, session -> session.pipeline(calls)));
    }

    static <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException reason) {
                throw reason;
            }
            throw e;
        }
    }

    /** Returns a field of INFO. */
    Optional<String> info(String field) {
        if (info == null) {
            info = new ServerInfo(String.valueOf(call("INFO")));
        }
        return info.field(field);
    }

    /** Whether this is a sentinel, which keeps no data. */
    boolean isSentinel() {
        try {
            return info("redis_mode").orElse("").equals("sentinel");
        } catch (RedisErrorException | RedisConnectionException unknown) {
            return false;
        }
    }

    /** Returns a numeric field of INFO; 0 if there is none. */
    long infoNumber(String field) {
        return info(field).map(Long::parseLong).orElse(0L);
    }

    /** Returns a setting; empty if CONFIG GET is refused or the server does not have it. */
    Optional<String> setting(String name) {
        try {
            return call("CONFIG", "GET", name) instanceof List<?> pair && pair.size() == 2
                    ? Optional.of(String.valueOf(pair.get(1)))
                    : Optional.empty();
        } catch (RedisErrorException refused) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        driver.close();
    }
}
