package io.keyhold.testkit.driver;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The simplest exclusive work. */
final class Work {

    private Work() {}

    /** A session that is one pipeline. */
    static CompletionStage<List<@Nullable Object>> pipeline(RedisDriver driver, CallMode mode, RedisCall... calls) {
        return pipeline(driver, CallOptions.of(mode), calls);
    }

    /** The same with these options. */
    static CompletionStage<List<@Nullable Object>> pipeline(
            RedisDriver driver, CallOptions options, RedisCall... calls) {
        return driver.withSession(options, session -> session.pipeline(List.of(calls)));
    }

    /** A session that is one transaction. */
    static CompletionStage<@Nullable List<@Nullable Object>> transaction(
            RedisDriver driver, CallMode mode, RedisCall... calls) {
        return driver.withSession(mode, session -> session.transaction(List.of(calls)));
    }

    /** A session that watches the key before it increments it. */
    static CompletionStage<@Nullable List<@Nullable Object>> watchedIncrement(
            RedisDriver driver, CallOptions options, String key) {
        return driver.withSession(
                options,
                session -> session.pipeline(List.of(RedisCall.of("WATCH", key)))
                        .thenCompose(watched -> session.transaction(List.of(RedisCall.of("INCR", key)))));
    }
}
