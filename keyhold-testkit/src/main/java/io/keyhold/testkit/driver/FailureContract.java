package io.keyhold.testkit.driver;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.eventually;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call says about its outcome when the connection fails, and that the next call works. */
public interface FailureContract extends DriverUnderTest {

    @ParameterizedTest
    @EnumSource
    default void brokenConnectionAfterExecutionIsCut(CallMode mode) {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri())) {
            String key = fresh();
            reply(driver.call(RedisCall.of("PING"), mode));
            var cut = proxy.cutAfterNextRequestContaining(key);
            RedisConnectionException failure = connectionFailure(driver.call(RedisCall.of("INCR", key), mode));
            assertThat(failure.failure()).isEqualTo(Failure.CONNECTION_LOST);
            assertThat(failure).hasMessageContaining("127.0.0.1:" + proxy.port());
            reply(cut);
            assertThat(new ServerConsole(server()).ask("GET", key)).isEqualTo("1");
            // The next call is not held up, and the one before was not sent again.
            assertThat(reply(driver.call(RedisCall.of("INCR", key), mode))).isEqualTo(2L);
        }
    }

    /** Some clients reconnect and repeat what was in flight: a lock would be taken that no request awaits. */
    @Test
    default void callInFlightFailsAndIsNotRepeated() {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri() + "?commandTimeout=10s")) {
            ServerConsole console = new ServerConsole(server());
            String key = fresh();
            reply(driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS));
            proxy.swallowReplies();
            List<CompletionStage<?>> calls = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                calls.add(driver.call(RedisCall.of("RPUSH", key, "" + i), CallMode.ASYNCHRONOUS));
            }
            eventually("all are executed", () -> "5".equals(console.ask("LLEN", key)));
            proxy.cut(); // First: a reply may be on its way still.
            proxy.heal();
            calls.forEach(call -> assertThat(connectionFailure(call).failure()).isEqualTo(Failure.CONNECTION_LOST));
            assertThat(reply(driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS)))
                    .isEqualTo("PONG");
            assertThat(console.ask("LLEN", key)).isEqualTo("5");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void noReplyInTimeIsTimedOut(CallMode mode) {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    RedisDriver driver = open(proxy.uri() + "?commandTimeout=500ms")) {
                String key = fresh();
                reply(driver.call(RedisCall.of("PING"), mode));
                proxy.swallowReplies();
                RedisConnectionException failure = connectionFailure(driver.call(RedisCall.of("INCR", key), mode));
                assertThat(failure.failure()).isEqualTo(Failure.TIMED_OUT);
                assertThat(failure)
                        .hasMessageContaining("127.0.0.1:" + proxy.port())
                        .hasMessageContaining("500 ms");
                proxy.heal();
                assertThat(reply(driver.call(RedisCall.of("INCR", key), mode))).isEqualTo(2L);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    default void lateReplyIsNotTakenForNextCall(CallMode mode) {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    RedisDriver driver = open(proxy.uri() + "?commandTimeout=500ms")) {
                for (int i = 0; i < 2; i++) {
                    reply(driver.call(RedisCall.of("PING"), mode));
                    proxy.delayReplies(Duration.ofMinutes(1));
                    var late = driver.call(RedisCall.of("ECHO", "late " + i), mode);
                    assertThat(connectionFailure(late).failure()).isEqualTo(Failure.TIMED_OUT);
                    proxy.heal(); // Now the late reply is delivered.
                    assertThat(reply(driver.call(RedisCall.of("ECHO", "next " + i), mode)))
                            .isEqualTo("next " + i);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    default void stoppedServerTimesOutUntilResumed(CallMode mode) {
        undisturbed(() -> {
            try (RedisDriver driver = open(server().uri() + "?commandTimeout=500ms")) {
                reply(driver.call(RedisCall.of("PING"), mode));
                server().pause();
                try {
                    var frozen = driver.call(RedisCall.of("ECHO", "frozen"), mode);
                    assertThat(connectionFailure(frozen).failure()).isEqualTo(Failure.TIMED_OUT);
                } finally {
                    server().resume();
                }
                assertThat(reply(driver.call(RedisCall.of("ECHO", "thawed"), mode)))
                        .isEqualTo("thawed");
            }
        });
    }

    /** Some of the connections that a pool keeps are found broken only by using them; but one, not each of them. */
    @ParameterizedTest
    @EnumSource
    default void secondCallAfterRestartSucceeds(CallMode mode) {
        try (RedisDriver driver = open()) {
            SessionsAtOnce.hold(driver, 5).end();
            reply(driver.call(RedisCall.of("PING"), mode));
            server().restart();
            // This one may fail: its connection was not used since.
            reply(driver.call(RedisCall.of("PING"), mode).handle((pong, failure) -> true));
            assertThat(reply(driver.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
            SessionsAtOnce.hold(driver, 5).end();
        }
    }

    @ParameterizedTest
    @EnumSource
    default void deadServerFailsCallsUntilRestart(CallMode mode) {
        try (RedisDriver driver = open()) {
            reply(driver.call(RedisCall.of("PING"), mode));
            server().kill();
            try {
                assertThat(connectionFailure(driver.call(RedisCall.of("PING"), mode)))
                        .hasMessageContaining("127.0.0.1:" + server().port());
                assertThat(connectionFailure(driver.call(RedisCall.of("PING"), mode))
                                .failure())
                        .isEqualTo(Failure.NOT_CONNECTED);
            } finally {
                server().restart();
            }
            assertThat(reply(driver.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
        }
    }

    /**
     * Far more calls than a driver has threads or connections, at a server that replies to none. None waits for those
     * before it: each ends within the two timeouts (here with a wide margin, but one after the other would take longer).
     * And those that say that they were not sent must not be executed later.
     */
    @Test
    default void callsAtStoppedServerEndInTime() {
        undisturbed(() -> {
            try (RedisDriver driver = open(server().uri() + "?commandTimeout=500ms&connectTimeout=500ms")) {
                String key = fresh();
                reply(driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS));
                List<CompletionStage<?>> calls = new ArrayList<>();
                long mayHaveBeenExecuted;
                server().pause();
                long start = System.nanoTime();
                try {
                    for (int i = 0; i < 400; i++) {
                        calls.add(driver.call(RedisCall.of("INCR", key), CallMode.ASYNCHRONOUS));
                    }
                    mayHaveBeenExecuted = calls.stream()
                            .map(call -> connectionFailure(call).failure())
                            .filter(failure -> failure != Failure.NOT_CONNECTED)
                            .count();
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
                } finally {
                    server().resume();
                }
                assertThat(mayHaveBeenExecuted).isPositive();
                assertThat(reply(driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS)))
                        .isEqualTo("PONG");
                String executed = new ServerConsole(server()).ask("GET", key);
                assertThat(executed == null ? 0 : Long.parseLong(executed)).isLessThanOrEqualTo(mayHaveBeenExecuted);
            }
        });
    }
}
