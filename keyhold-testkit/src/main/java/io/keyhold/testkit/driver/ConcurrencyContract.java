package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many at once. */
public interface ConcurrencyContract extends DriverUnderTest {

    /** Fewer connections than threads, so that they change hands all the time. */
    @ParameterizedTest
    @EnumSource
    default void everyCallGetsItsOwnReply(CallMode mode) throws InterruptedException {
        try (RedisDriver driver = open(server().uri() + "?maxConnections=8&connectTimeout=30s&commandTimeout=30s")) {
            Threads.run(32, thread -> {
                for (int i = 0; i < 100; i++) {
                    String own = thread + " " + i;
                    assertThat(reply(driver.call(RedisCall.of("ECHO", own), mode)))
                            .isEqualTo(own);
                }
            });
        }
    }

    @Test
    default void everyPipelinedCallGetsItsOwnReply() {
        try (RedisDriver driver = open(server().uri() + "?connectTimeout=30s&commandTimeout=30s")) {
            List<CompletionStage<Object>> calls = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                calls.add(driver.call(RedisCall.of("ECHO", "" + i), CallMode.ASYNCHRONOUS));
            }
            for (int i = 0; i < calls.size(); i++) {
                assertThat(reply(calls.get(i))).isEqualTo("" + i);
            }
        }
    }

    /** A counter without INCR: each step is lost if another client writes between its read and its write. */
    @ParameterizedTest
    @EnumSource
    default void transactionsDoNotMix(CallMode mode) throws InterruptedException {
        try (RedisDriver driver = open(server().uri() + "?maxConnections=4&connectTimeout=30s&commandTimeout=30s")) {
            String key = fresh();
            int threads = 8;
            int steps = 20;
            Threads.run(threads, thread -> {
                for (int i = 0; i < steps; i++) {
                    while (!reply(step(driver, mode, key))) {
                        Thread.onSpinWait();
                    }
                }
            });
            assertThat(new ServerConsole(server()).ask("GET", key)).isEqualTo("" + threads * steps);
        }
    }

    private static CompletionStage<Boolean> step(RedisDriver driver, CallMode mode, String key) {
        return driver.withSession(
                mode,
                session -> session.pipeline(List.of(RedisCall.of("WATCH", key), RedisCall.of("GET", key)))
                        .thenCompose(replies -> {
                            Object value = replies.get(1);
                            long next = value == null ? 1 : Long.parseLong((String) value) + 1;
                            return session.transaction(List.of(RedisCall.of("SET", key, "" + next)));
                        })
                        .thenApply(executed -> executed != null));
    }

    /** Completions make the next call: such a chain must neither block a thread of the driver nor grow its stack. */
    @Test
    default void longChainOfCallsEnds() {
        try (RedisDriver driver = open()) {
            assertThat(reply(chain(driver, fresh(), 10_000))).isEqualTo(10_000L);
        }
    }

    private static CompletionStage<Object> chain(RedisDriver driver, String key, long end) {
        return driver.call(RedisCall.of("INCR", key), CallMode.ASYNCHRONOUS)
                .thenCompose(
                        count -> count.equals(end) ? CompletableFuture.completedStage(count) : chain(driver, key, end));
    }
}
