package io.keyhold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration A_MOMENT = Duration.ofMillis(100);

    private static EmbeddedRedis redis;

    private TcpProxy proxy;

    @BeforeAll
    static void startServer() {
        redis = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @BeforeEach
    void startProxy() throws Exception {
        if (!redis.isRunning()) {
            redis.restart();
        }
        assertThat(direct("FLUSHALL")).isEqualTo("+OK");
        proxy = TcpProxy.to(redis.host(), redis.port());
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
    }

    @Test
    void passesEverythingAtFirst() throws Exception {
        assertThat(proxy.uri()).isEqualTo("redis://127.0.0.1:" + proxy.port());
        try (PlainClient first = new PlainClient(proxy.port());
                PlainClient second = new PlainClient(proxy.port())) {
            assertThat(first.ask("INCR visits")).isEqualTo(":1");
            assertThat(second.ask("INCR visits")).isEqualTo(":2");
            assertThat(proxy.connections()).isEqualTo(2);
        }
        await(() -> proxy.connections() == 0);
        assertThat(proxy.accepted()).isEqualTo(2);
    }

    @Test
    void swallowsReplies() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("INCR visits")).isEqualTo(":1");
            proxy.swallowReplies();
            client.send("INCR visits");
            await(2);
            assertSilent(client);
            assertThat(direct("GET visits", "INCR visits")).isEqualTo(":3");

            proxy.heal();
            assertThat(client.ask("INCR visits")).isEqualTo(":4");
        }
    }

    @Test
    void swallowsRequests() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            proxy.swallowRequests();
            client.send("INCR visits");
            assertSilent(client);
            assertThat(direct("INCR visits")).isEqualTo(":1");

            proxy.heal();
            assertThat(client.ask("INCR visits")).isEqualTo(":2");
        }
    }

    @Test
    void connectionsStayOpenWhileDataIsSwallowed() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            proxy.swallowReplies();
            redis.kill();
            assertSilent(client);
            assertThat(proxy.connections()).isEqualTo(1);

            proxy.heal();
            assertThat(client.receive()).isEqualTo("(end)");
            await(() -> proxy.connections() == 0);
        }
    }

    @Test
    void delaysReplies() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            proxy.delayReplies(A_MOMENT);
            long start = System.nanoTime();
            assertThat(client.ask("INCR visits")).isEqualTo(":1");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(A_MOMENT.toNanos());
        }
    }

    @Test
    void delaysRequests() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            proxy.delayRequests(LONG);
            client.send("INCR visits");
            assertSilent(client);
            assertThat(direct("INCR visits")).isEqualTo(":1");

            proxy.heal();
            assertThat(client.receive()).isEqualTo(":2");
        }
    }

    @Test
    void everyPacketIsDelayedOnce() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            proxy.delayReplies(Duration.ofSeconds(2));
            long start = System.nanoTime();
            for (int i = 1; i <= 10; i++) {
                client.send("INCR visits");
                await(i);
            }
            for (int i = 1; i <= 10; i++) {
                assertThat(client.receive()).isEqualTo(":" + i);
            }
            assertThat(System.nanoTime() - start).isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(18));
        }
    }

    @RepeatedTest(5)
    void healingDeliversWhatWasHeldBackInOrder() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            proxy.delayReplies(LONG);
            for (int i = 1; i <= 20; i++) {
                client.send("INCR visits");
                await(i);
            }
            assertSilent(client);
            proxy.heal();
            client.send("INCR visits");
            for (int i = 1; i <= 21; i++) {
                assertThat(client.receive()).isEqualTo(":" + i);
            }
        }
    }

    @Test
    void swallowingTakesWhatWasHeldBack() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            proxy.delayReplies(LONG);
            client.send("INCR visits");
            await(1);
            assertSilent(client);
            proxy.swallowReplies();
            assertSilent(client);
            proxy.heal();
            assertThat(client.ask("INCR visits")).isEqualTo(":2");
        }
    }

    @RepeatedTest(5)
    void cutResetsOpenConnectionsOnly() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port());
                PlainClient delayed = new PlainClient(proxy.port())) {
            assertThat(client.ask("INCR visits")).isEqualTo(":1");
            assertThat(delayed.ask("INCR visits")).isEqualTo(":2");
            proxy.delayReplies(LONG);
            delayed.send("INCR visits");
            proxy.cut();
            assertThat(proxy.connections()).isZero();
            assertThatThrownBy(client::receive)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
            assertThatThrownBy(delayed::receive).isInstanceOf(SocketException.class);
            proxy.heal();
            try (PlainClient next = new PlainClient(proxy.port())) {
                assertThat(next.ask("PING")).isEqualTo("+PONG");
            }
        }
    }

    @RepeatedTest(5)
    void refusesUntilHealed() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            proxy.refuse();
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(this::connectAndReceive).isInstanceOf(SocketException.class);
        assertThat(proxy.connections()).isZero();
        assertThat(proxy.accepted()).isEqualTo(2);
        proxy.heal();
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void clientOfDeadServerIsReset() throws Exception {
        redis.kill();
        assertThatThrownBy(this::connectAndReceive).isInstanceOf(SocketException.class);
        await(() -> proxy.connections() == 0);
    }

    /** A connection that is reset at once may be reset while it is being opened. */
    private void connectAndReceive() throws IOException {
        try (PlainClient client = new PlainClient(proxy.port())) {
            client.receive();
        }
    }

    @RepeatedTest(20)
    void closeEndsEverything() throws Exception {
        try (PlainClient client = new PlainClient(proxy.port())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            proxy.swallowReplies();
            proxy.close();
            proxy.close();
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(() -> new PlainClient(proxy.port())).isInstanceOf(ConnectException.class);
        String ofThisProxy = "proxy-" + proxy.port() + "-";
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith(ofThisProxy)));
    }

    @Test
    void refusesBadArguments() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpProxy.to("localhost", 0))
                .withMessage("port 0: must be from 1 to 65535");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpProxy.to("", 1))
                .withMessage("host \"\": must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxy.delayReplies(Duration.ofMillis(-1)))
                .withMessage("delay PT-0.001S: must be from zero to PT24H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxy.cutAfterNextRequestContaining("grün"))
                .withMessage("text \"grün\": must be ASCII and not empty");
    }

    private static String direct(String... commands) throws IOException {
        try (PlainClient client = new PlainClient(redis.port())) {
            String last = "";
            for (String each : commands) {
                last = client.ask(each);
                if (last.startsWith("$")) {
                    last = client.receive();
                }
            }
            return last;
        }
    }

    private static void assertSilent(PlainClient client) throws IOException {
        client.replyTimeout(A_MOMENT);
        assertThatThrownBy(client::receive).isInstanceOf(SocketTimeoutException.class);
        client.replyTimeout(Duration.ofMinutes(1));
    }

    /** Waits until the server has counted this many requests, so that each is a separate packet. */
    private static void await(int visits) throws Exception {
        try (PlainClient client = new PlainClient(redis.port())) {
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (!client.ask("INCRBY visits 0").equals(":" + visits)) {
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        }
    }

    private static void await(BooleanSupplier condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(1);
        }
    }
}
