package io.keyhold.testkit.driver;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.eventually;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of one lane do not wait behind those of another, and what waits is told from what is sent. */
public interface LaneContract extends DriverUnderTest {

    /** All connections that requests may have are lent, and then all that releases may have too. */
    @ParameterizedTest
    @EnumSource
    default void lanesDoNotTakeEachOthersConnections(CallMode mode) {
        try (RedisDriver driver = open(server().uri() + "?maxConnections=2")) {
            SessionsAtOnce requests = SessionsAtOnce.hold(driver, CallLane.REQUEST, 2);
            assertIsServed(driver, mode, CallLane.RELEASE);
            assertIsServed(driver, mode, CallLane.RENEWAL);
            SessionsAtOnce releases = SessionsAtOnce.hold(driver, CallLane.RELEASE, 2);
            assertIsServed(driver, mode, CallLane.RENEWAL);
            requests.end();
            assertIsServed(driver, mode, CallLane.REQUEST);
            releases.end();
        }
    }

    private static void assertIsServed(RedisDriver driver, CallMode mode, CallLane lane) {
        CallOptions options = CallOptions.of(mode, lane);
        assertThat(reply(driver.call(RedisCall.of("ECHO", "call"), options))).isEqualTo("call");
        assertThat(reply(Work.pipeline(driver, options, RedisCall.of("ECHO", "session"))))
                .containsExactly("session");
    }

    /** Far more calls than a driver has threads, to which the server does not reply. */
    @Test
    default void lanesDoNotTakeEachOthersThreads() {
        String name = fresh();
        try (RedisDriver driver = open(server().uri() + "?commandTimeout=60s&clientName=" + name)) {
            block(driver, name, CallLane.REQUEST);
            assertIsServed(driver, CallMode.ASYNCHRONOUS, CallLane.RELEASE);
            assertIsServed(driver, CallMode.ASYNCHRONOUS, CallLane.RENEWAL);
            block(driver, name, CallLane.RELEASE);
            assertIsServed(driver, CallMode.ASYNCHRONOUS, CallLane.RENEWAL);
        }
        eventually("the server has noticed the end", () -> new ServerConsole(server()).blockedNamed(name) == 0);
    }

    private void block(RedisDriver driver, String name, CallLane lane) {
        ServerConsole console = new ServerConsole(server());
        long before = console.blockedNamed(name);
        for (int i = 0; i < 40; i++) {
            driver.call(RedisCall.of("BLPOP", fresh(), "0"), CallOptions.of(CallMode.ASYNCHRONOUS, lane));
        }
        eventually("the calls are in flight", () -> console.blockedNamed(name) > before);
    }

    /** Lanes have connections of their own only while they need them. */
    @Test
    default void connectionsOfLanesAreReturned() {
        String name = fresh();
        ServerConsole console = new ServerConsole(server());
        try (RedisDriver driver = open(server().uri() + "?clientName=" + name)) {
            List<CompletionStage<?>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                for (CallLane lane : CallLane.values()) {
                    calls.add(driver.call(RedisCall.of("ECHO", "" + i), CallOptions.of(CallMode.ASYNCHRONOUS, lane)));
                }
            }
            calls.forEach(Outcomes::reply);
            eventually("one connection is left", () -> {
                driver.trim();
                return console.connectionsNamed(name) == 1;
            });
            for (CallLane lane : CallLane.values()) {
                assertIsServed(driver, CallMode.BLOCKING, lane);
            }
        }
    }

    /**
     * A queue that takes longer than a call may wait for a connection. Neither timeout is close: both hold while the
     * server replies every now and then.
     */
    @Test
    default void queuedCallsWaitWhileServerReplies() {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    RedisDriver driver = open(proxy.uri() + "?connectTimeout=3s&commandTimeout=20s")) {
                reply(driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS));
                proxy.delayReplies(Duration.ofMillis(100));
                List<CompletionStage<Object>> calls = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    calls.add(driver.call(RedisCall.of("ECHO", "" + i), CallMode.ASYNCHRONOUS));
                }
                for (int i = 0; i < calls.size(); i++) {
                    assertThat(reply(calls.get(i))).isEqualTo("" + i);
                }
            }
        });
    }

    @Test
    default void queuedSessionsWaitWhileServerReplies() {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    RedisDriver driver = open(proxy.uri() + "?maxConnections=8&connectTimeout=3s&commandTimeout=20s")) {
                SessionsAtOnce.hold(driver, 8).end();
                proxy.delayReplies(Duration.ofMillis(100));
                List<CompletionStage<? extends List<?>>> sessions = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    sessions.add(Work.pipeline(driver, CallMode.ASYNCHRONOUS, RedisCall.of("ECHO", "" + i)));
                }
                for (int i = 0; i < sessions.size(); i++) {
                    assertThat(reply(sessions.get(i)).toString()).isEqualTo("[" + i + "]");
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    default void sendingRunsOnceBeforeReply(CallMode mode) {
        try (RedisDriver driver = open()) {
            for (CallLane lane : CallLane.values()) {
                AtomicInteger sent = new AtomicInteger();
                CallOptions options = new CallOptions(mode, lane, sent::incrementAndGet);
                int seen = reply(driver.call(RedisCall.of("PING"), options).thenApply(pong -> sent.get()));
                assertThat(seen).isEqualTo(1);
                seen = reply(driver.withSession(
                        options,
                        session -> session.pipeline(List.of(RedisCall.of("PING"), RedisCall.of("PING")))
                                .thenApply(pongs -> sent.get())));
                assertThat(seen).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    default void sendingDoesNotRunIfNothingIsSent(CallMode mode) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        AtomicInteger sent = new AtomicInteger();
        CallOptions options = new CallOptions(mode, CallLane.REQUEST, sent::incrementAndGet);
        try (RedisDriver driver = open("redis://127.0.0.1:" + port)) {
            connectionFailure(driver.call(RedisCall.of("PING"), options));
            connectionFailure(driver.withSession(options, session -> session.pipeline(List.of())));
            assertThat(sent).hasValue(0);
        }
    }

    /** The connection is ready only when the server has replied to CLIENT SETNAME. */
    @Test
    default void sendingDoesNotRunWhileConnectionIsBeingOpened() {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri() + "?clientName=" + fresh())) {
            AtomicInteger sent = new AtomicInteger();
            proxy.delayReplies(Duration.ofMinutes(1));
            var call = driver.call(
                    RedisCall.of("PING"),
                    new CallOptions(CallMode.ASYNCHRONOUS, CallLane.REQUEST, sent::incrementAndGet));
            eventually("it connects", () -> proxy.connections() > 0);
            assertThat(sent).hasValue(0);
            proxy.heal();
            assertThat(reply(call)).isEqualTo("PONG");
            assertThat(sent).hasValue(1);
        }
    }

    /** Of several connections to a server that is no longer the master, each would fail a call of its own. */
    @ParameterizedTest
    @EnumSource
    default void oneReadonlyReplyDropsAllConnections(CallMode mode) {
        try (EmbeddedRedis replica = EmbeddedRedis.builder()
                        .option("replicaof", server().host(), Integer.toString(server().port()))
                        .start();
                TcpProxy proxy = TcpProxy.to(replica.host(), replica.port());
                RedisDriver driver = open(proxy.uri())) {
            SessionsAtOnce.hold(driver, 4).end();
            SessionsAtOnce lent = SessionsAtOnce.hold(driver, 2);
            String key = fresh();
            assertThat(error(driver.call(RedisCall.of("INCR", key), mode)).code())
                    .isEqualTo("READONLY");
            proxy.redirect(server().host(), server().port());
            lent.end();
            for (long i = 1; i < 10; i += 2) {
                assertThat(reply(driver.call(RedisCall.of("INCR", key), mode))).isEqualTo(i);
                assertThat(reply(Work.transaction(driver, mode, RedisCall.of("INCR", key))))
                        .containsExactly(i + 1);
            }
        }
    }
}
