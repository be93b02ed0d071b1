package io.keyhold.testkit.driver;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.failure;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisSession;
import io.keyhold.testkit.TcpProxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that has a connection of its own, when that connection or the work fails. There is only one connection here. */
public interface SessionFailureContract extends DriverUnderTest {

    @ParameterizedTest
    @EnumSource
    default void brokenConnectionIsNotReused(CallMode mode) {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri() + "?maxConnections=1")) {
            String key = fresh();
            var cut = proxy.cutAfterNextRequestContaining(key);
            var broken = Work.transaction(driver, mode, RedisCall.of("INCR", key));
            assertThat(connectionFailure(broken).failure()).isEqualTo(Failure.CONNECTION_LOST);
            reply(cut);
            var next = Work.transaction(driver, mode, RedisCall.of("INCR", key));
            assertThat(reply(next)).containsExactly(2L);
        }
    }

    /** Where EXEC has another name, the commands stay queued, and those of the next session would be too. */
    @ParameterizedTest
    @EnumSource
    default void connectionInsideTransactionIsNotReused(CallMode mode) {
        try (EmbeddedRedis renamed = EmbeddedRedis.builder()
                        .option("rename-command", "EXEC", "")
                        .start();
                RedisDriver driver = open(renamed.uri() + "?maxConnections=1")) {
            assertThat(error(Work.transaction(driver, mode, RedisCall.of("SET", fresh(), "1"))))
                    .hasMessageStartingWith("ERR unknown command");
            assertThat(reply(Work.pipeline(driver, mode, RedisCall.of("ECHO", "next"))))
                    .containsExactly("next");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void timedOutConnectionIsNotReused(CallMode mode) {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    RedisDriver driver = open(proxy.uri() + "?maxConnections=1&commandTimeout=500ms")) {
                reply(Work.pipeline(driver, mode, RedisCall.of("PING")));
                proxy.swallowReplies();
                var late = Work.pipeline(driver, mode, RedisCall.of("ECHO", "late"));
                assertThat(connectionFailure(late).failure()).isEqualTo(Failure.TIMED_OUT);
                proxy.heal();
                var next = Work.pipeline(driver, mode, RedisCall.of("ECHO", "next"));
                assertThat(reply(next)).containsExactly("next");
            }
        });
    }

    /** A command that failed leaves the connection in an unknown state; the work may still try to use it. */
    @ParameterizedTest
    @EnumSource
    default void timedOutSessionSendsNothing(CallMode mode) {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    RedisDriver driver = open(proxy.uri() + "?maxConnections=1&commandTimeout=500ms")) {
                String key = fresh();
                reply(driver.call(RedisCall.of("PING"), mode));
                proxy.swallowReplies();
                var outcome = driver.withSession(
                        mode,
                        session -> session.pipeline(List.of(RedisCall.of("PING")))
                                .handle((replies, failure) -> {
                                    proxy.heal();
                                    return session.pipeline(List.of(RedisCall.of("INCR", key)));
                                })
                                .thenCompose(second -> second));
                assertThat(failure(outcome)).isInstanceOf(RedisConnectionException.class);
                assertThat(new ServerConsole(server()).ask("GET", key)).isNull();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    default void failedWorkReturnsConnection(CallMode mode) {
        try (RedisDriver driver = open(server().uri() + "?maxConnections=1")) {
            IllegalStateException mistake = new IllegalStateException("a mistake");
            assertThat(failure(driver.withSession(mode, session -> {
                        throw mistake;
                    })))
                    .isSameAs(mistake);
            assertThat(failure(driver.withSession(mode, session -> CompletableFuture.failedFuture(mistake))))
                    .isSameAs(mistake);
            assertThat(failure(driver.withSession(mode, session -> nothing())))
                    .isInstanceOf(NullPointerException.class);
            var wrapped = driver.withSession(
                    mode,
                    session -> session.pipeline(List.of(RedisCall.of("PING"))).thenApply(replies -> {
                        throw mistake;
                    }));
            assertThat(failure(wrapped)).isSameAs(mistake);
            var next = Work.pipeline(driver, mode, RedisCall.of("PING"));
            assertThat(reply(next)).containsExactly("PONG");
        }
    }

    /** What work must not return, as a language without null checks would. */
    @SuppressWarnings("NullAway")
    private static CompletionStage<Object> nothing() {
        return null;
    }

    @ParameterizedTest
    @EnumSource
    default void endedSessionIsRefused(CallMode mode) {
        try (RedisDriver driver = open(server().uri() + "?maxConnections=1")) {
            String key = fresh();
            CompletableFuture<RedisSession> kept = new CompletableFuture<>();
            reply(driver.withSession(mode, session -> {
                kept.complete(session);
                return session.pipeline(List.of(RedisCall.of("PING")));
            }));
            List<RedisCall> calls = List.of(RedisCall.of("INCR", key));
            assertThat(failure(reply(kept).pipeline(calls))).isInstanceOf(IllegalStateException.class);
            assertThat(failure(reply(kept).transaction(calls))).isInstanceOf(IllegalStateException.class);
            assertThat(new ServerConsole(server()).ask("GET", key)).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    default void sessionWithoutConnectionIsNotConnected(CallMode mode) {
        undisturbed(() -> {
            try (RedisDriver driver = open(server().uri() + "?maxConnections=1&connectTimeout=500ms")) {
                SessionsAtOnce occupied = SessionsAtOnce.hold(driver, 1);
                var waiting = Work.pipeline(driver, mode, RedisCall.of("PING"));
                RedisConnectionException failure = connectionFailure(waiting);
                assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
                assertThat(failure)
                        .hasMessageContaining("127.0.0.1:" + server().port())
                        .hasMessageContaining("500 ms");
                occupied.end();
                var next = Work.pipeline(driver, mode, RedisCall.of("PING"));
                assertThat(reply(next)).containsExactly("PONG");
            }
        });
    }
}
