package io.keyhold.jedis;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.TcpProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many blocking calls at a time, which share connections. */
@Timeout(180)
class SharedCallsTest {

    private static final int THREADS = 40;
    private static final int MOST_CONNECTIONS = 8;

    private static EmbeddedRedis server;

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void everyCallGetsItsOwnReplyOverFewConnections() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(proxy.uri())))) {
            String echo = load(driver, "return ARGV[1]");
            atOnce(thread -> {
                for (int i = 0; i < 50; i++) {
                    String text = thread + ":" + i;
                    assertThat(call(driver, echo, text)).isEqualTo(text);
                }
                return null;
            });
            assertThat(proxy.accepted()).isLessThanOrEqualTo(MOST_CONNECTIONS);
        }
    }

    @Test
    void errorFailsOnlyItsOwnCall() throws Exception {
        try (RedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            String picky = load(driver, "return ARGV[1] == 'bad' and {err = 'NO ' .. ARGV[1]} or ARGV[1]");
            List<@Nullable Object> outcomes =
                    atOnce(thread -> outcome(driver, picky, thread % 2 == 0 ? "bad" : "good"));
            for (int thread = 0; thread < THREADS; thread++) {
                if (thread % 2 == 0) {
                    assertThat(outcomes.get(thread))
                            .isInstanceOfSatisfying(
                                    RedisErrorException.class,
                                    error -> assertThat(error.code()).isEqualTo("NO"));
                } else {
                    assertThat(outcomes.get(thread)).isEqualTo("good");
                }
            }
        }
    }

    /** All calls of the connection that is cut have an unknown outcome, and no reply reaches another call. */
    @Test
    void cutFailsCallsAndMisplacesNoReply() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(proxy.uri())))) {
            String echo = load(driver, "return ARGV[1]");
            for (int round = 0; round < 20; round++) {
                CompletableFuture<Void> cut = proxy.cutAfterNextRequestContaining("broken");
                List<@Nullable Object> outcomes = atOnce(thread -> outcome(driver, echo, text(thread)));
                cut.join();
                for (int thread = 0; thread < THREADS; thread++) {
                    if (thread == 0 || !text(thread).equals(outcomes.get(thread))) {
                        assertThat(outcomes.get(thread))
                                .isInstanceOfSatisfying(
                                        RedisConnectionException.class,
                                        failure -> assertThat(failure.failure())
                                                .isEqualTo(RedisConnectionException.Failure.CONNECTION_LOST));
                    }
                }
            }
        }
    }

    private static String text(int thread) {
        return thread == 0 ? "broken" : "whole:" + thread;
    }

    @Test
    void allCallsAtSilentServerEnd() throws Exception {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                    RedisDriver driver = JedisDriver.open(
                            RedisUri.parse(proxy.uri() + "?connectTimeout=300ms&commandTimeout=300ms"))) {
                String echo = load(driver, "return ARGV[1]");
                proxy.swallowReplies();
                assertThat(atOnce(thread -> outcome(driver, echo, "silent")))
                        .allMatch(RedisConnectionException.class::isInstance);
                proxy.heal();
                for (int thread = 0; thread < THREADS; thread++) {
                    assertThat(outcome(driver, echo, "after")).isEqualTo("after");
                }
            }
        });
    }

    private static String load(RedisDriver driver, String script) {
        return (String) driver.call(RedisCall.of("SCRIPT", "LOAD", script), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }

    private static @Nullable Object outcome(RedisDriver driver, String sha1, String argument) {
        try {
            return call(driver, sha1, argument);
        } catch (CompletionException e) {
            return e.getCause();
        }
    }

    private static @Nullable Object call(RedisDriver driver, String sha1, String argument) {
        return driver.call(RedisCall.of("EVALSHA", sha1, "0", argument), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }

    /** Runs the work on many threads, which start together. */
    private static List<@Nullable Object> atOnce(IntFunction<@Nullable Object> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try {
            List<Future<@Nullable Object>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(threads.submit(() -> {
                    start.await();
                    return work.apply(thread);
                }));
            }
            List<@Nullable Object> results = new ArrayList<>();
            for (Future<@Nullable Object> result : running) {
                results.add(result.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
