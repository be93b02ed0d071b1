package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.eventually;
import static io.keyhold.testkit.driver.Outcomes.failure;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.testkit.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When connections are opened, as whom, and what happens when they cannot be. */
public interface ConnectionContract extends DriverUnderTest {

    @Test
    default void addressIsHostAndPort() {
        try (RedisDriver driver = open("redis://user:secret@127.0.0.1:6390/3")) {
            assertThat(driver.address()).isEqualTo("127.0.0.1:6390");
            assertThat(driver.toString()).doesNotContain("secret");
        }
    }

    /** Keyhold finds the servers of sentinels and clusters itself, and opens a driver for each. */
    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel://u:s3cr3t@h:26379?master=m", "rediss-cluster://u:s3cr3t@h:7000"})
    default void sentinelsAndClustersAreRefused(String uri) {
        RedisUri parsed = RedisUri.parse(uri);
        assertThatThrownBy(() -> open(parsed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(" + parsed.address() + ") is not supported by this driver")
                .hasMessageNotContaining("s3cr3t");
    }

    @ParameterizedTest
    @EnumSource
    default void connectionsHaveTheName(CallMode mode) {
        String name = fresh();
        try (RedisDriver driver = open(server().uri() + "?clientName=" + name)) {
            reply(driver.call(RedisCall.of("PING"), mode));
            assertThat(new ServerConsole(server()).connectionsNamed(name)).isEqualTo(1);
            assertThat(reply(driver.call(RedisCall.of("CLIENT", "GETNAME"), mode)))
                    .isEqualTo(name);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void callsGoToTheDatabase(CallMode mode) {
        try (RedisDriver third = open(server().uri() + "/3");
                RedisDriver none = open()) {
            String key = fresh();
            reply(third.call(RedisCall.of("SET", key, "in 3"), mode));
            assertThat(reply(third.call(RedisCall.of("GET", key), mode))).isEqualTo("in 3");
            assertThat(reply(none.call(RedisCall.of("GET", key), mode))).isNull();
            assertThat(reply(Work.pipeline(third, mode, RedisCall.of("GET", key))))
                    .containsExactly("in 3");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void missingDatabaseIsError(CallMode mode) {
        try (RedisDriver driver = open(server().uri() + "/9999")) {
            assertThat(error(driver.call(RedisCall.of("PING"), mode))).hasMessage("ERR DB index is out of range");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void closedPortSendsNothing(CallMode mode) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (RedisDriver driver = open("redis://127.0.0.1:" + port)) {
            RedisConnectionException refused = connectionFailure(driver.call(RedisCall.of("PING"), mode));
            assertThat(refused.failure()).isEqualTo(Failure.NOT_CONNECTED);
            assertThat(refused).hasMessageContaining("127.0.0.1:" + port).hasMessageContaining("refused");
            var session = driver.withSession(mode, unused -> CompletableFuture.completedFuture(1));
            assertThat(connectionFailure(session).failure()).isEqualTo(Failure.NOT_CONNECTED);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void unknownHostIsNamed(CallMode mode) {
        try (RedisDriver driver = open("redis://no-such-host.invalid?connectTimeout=2s")) {
            RedisConnectionException unknown = connectionFailure(driver.call(RedisCall.of("PING"), mode));
            assertThat(unknown.failure()).isEqualTo(Failure.NOT_CONNECTED);
            assertThat(unknown).hasMessageContaining("no-such-host.invalid:6379");
        }
    }

    /** Something accepts the connection and never says a word: the command must not wait behind the password. */
    @ParameterizedTest
    @EnumSource
    default void silentServerIsNotConnected(CallMode mode) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RedisDriver driver = open("redis://:secret@127.0.0.1:" + silent.getLocalPort()
                        + "?connectTimeout=200ms&commandTimeout=60s")) {
            RedisConnectionException failure = connectionFailure(driver.call(RedisCall.of("PING"), mode));
            assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
            assertThat(failure).hasMessageContaining("127.0.0.1:" + silent.getLocalPort());
        }
    }

    @ParameterizedTest
    @EnumSource
    default void serverThatClosesConnectionsFailsCalls(CallMode mode) {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri())) {
            proxy.refuse();
            assertThat(failure(driver.call(RedisCall.of("PING"), mode))).isInstanceOf(RedisConnectionException.class);
            proxy.heal();
            assertThat(reply(driver.call(RedisCall.of("PING"), mode))).isEqualTo("PONG");
        }
    }

    @Test
    default void idleConnectionsAreClosed() {
        String name = fresh();
        ServerConsole console = new ServerConsole(server());
        try (RedisDriver driver = open(server().uri() + "?clientName=" + name)) {
            SessionsAtOnce sessions = SessionsAtOnce.hold(driver, 3);
            driver.trim();
            assertThat(console.connectionsNamed(name)).isEqualTo(3);
            sessions.end();
            eventually("one connection at most", () -> {
                driver.trim();
                return console.connectionsNamed(name) <= 1;
            });
            assertThat(reply(driver.call(RedisCall.of("PING"), CallMode.BLOCKING)))
                    .isEqualTo("PONG");
            SessionsAtOnce.hold(driver, 3).end();
        }
    }
}
