package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.error;
import static io.keyhold.testkit.driver.Outcomes.eventually;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.testkit.ThreadWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Subscriptions that end, and such as never begin. */
public interface SubscriptionEndContract extends DriverUnderTest {

    @Test
    default void closingSubscriptionEndsItOnce() {
        String name = fresh();
        ThreadWatch threads = new ThreadWatch();
        Heard heard = new Heard();
        try (RedisDriver driver = open(server().uri() + "?clientName=" + name)) {
            ServerConsole console = new ServerConsole(server());
            String channel = fresh();
            RedisSubscription subscription = reply(driver.subscribe(channel, heard));
            subscription.close();
            subscription.close();
            assertThat(heard.end()).isInstanceOf(RedisConnectionException.class).hasMessageContaining("closed");
            eventually("no subscriber", () -> "0".equals(console.ask("PUBLISH", channel, "too late")));
            eventually("its connection is gone", () -> console.connectionsNamed(name) == 0);
            subscription.close();
        }
        assertEndedOnce(heard, threads);
    }

    /** As a client does that was closed meanwhile. */
    @Test
    default void subscriptionCanBeClosedByItsCompletion() {
        try (RedisDriver driver = open()) {
            String channel = fresh();
            Heard heard = new Heard();
            driver.subscribe(channel, heard).thenAccept(RedisSubscription::close);
            assertThat(heard.end()).isInstanceOf(RedisConnectionException.class);
            assertThat(heard.ends()).isEqualTo(1);
        }
    }

    @Test
    default void brokenConnectionEndsSubscription() {
        ThreadWatch threads = new ThreadWatch();
        Heard heard = new Heard();
        Heard again = new Heard();
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri())) {
            ServerConsole console = new ServerConsole(server());
            String channel = fresh();
            RedisSubscription subscription = reply(driver.subscribe(channel, heard));
            proxy.cut();
            assertThat(heard.end())
                    .isInstanceOf(RedisConnectionException.class)
                    .hasMessageContaining("127.0.0.1:" + proxy.port());
            eventually("the server has noticed", () -> "0".equals(console.ask("PUBLISH", channel, "lost")));
            reply(driver.subscribe(channel, again));
            subscription.close(); // Has nothing to do with the new one.
            assertThat(console.ask("PUBLISH", channel, "new")).isEqualTo("1");
            assertThat(again.next()).isEqualTo("new");
            assertThat(heard.rest()).isEmpty();
            // The driver has not subscribed by itself.
            assertThat(proxy.accepted()).isEqualTo(2);
        }
        assertEndedOnce(heard, threads);
        assertEndedOnce(again, threads);
    }

    @Test
    default void serverCanEndSubscription() {
        ThreadWatch threads = new ThreadWatch();
        Heard heard = new Heard();
        try (RedisDriver driver = open()) {
            reply(driver.subscribe(fresh(), heard));
            new ServerConsole(server()).ask("CLIENT", "KILL", "TYPE", "pubsub");
            assertThat(heard.end()).isInstanceOf(RedisConnectionException.class);
        }
        assertEndedOnce(heard, threads);
    }

    @Test
    default void closingDriverEndsItsSubscriptions() {
        String name = fresh();
        ThreadWatch threads = new ThreadWatch();
        Heard one = new Heard();
        Heard two = new Heard();
        RedisDriver driver = open(server().uri() + "?clientName=" + name);
        RedisSubscription subscription = reply(driver.subscribe(fresh(), one));
        reply(driver.subscribe(fresh(), two));
        driver.close();
        assertThat(one.end()).isInstanceOf(RedisConnectionException.class).hasMessageContaining("driver");
        assertThat(two.end()).isInstanceOf(RedisConnectionException.class).hasMessageContaining("driver");
        ServerConsole console = new ServerConsole(server());
        eventually("no connection is left", () -> console.connectionsNamed(name) == 0);
        subscription.close();
        driver.close();
        assertEndedOnce(one, threads);
        assertEndedOnce(two, threads);
    }

    /** Either it has begun, and ends; or it has failed, and has neither begun nor ended. */
    @Test
    default void closeDuringSubscribeLeavesNothingBehind() {
        String name = fresh();
        ThreadWatch threads = new ThreadWatch();
        for (int i = 0; i < 50; i++) {
            RedisDriver driver = open(server().uri() + "?clientName=" + name);
            Heard heard = new Heard();
            if (i % 2 == 0) {
                reply(driver.subscribe(fresh(), new Heard())); // So that the client itself is there.
            }
            var subscription = driver.subscribe(fresh(), heard).toCompletableFuture();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20L * i)); // Another moment in each round.
            driver.close();
            boolean begun = reply(subscription.handle((begunOne, failure) -> failure == null));
            if (begun) {
                heard.end();
            } else {
                connectionFailure(subscription);
                assertThat(heard.ends()).isZero();
            }
        }
        ServerConsole console = new ServerConsole(server());
        eventually("no connection is left", () -> console.connectionsNamed(name) == 0);
        threads.awaitAtMost(0);
    }

    @Test
    default void closedDriverDoesNotSubscribe() {
        RedisDriver driver = open();
        driver.close();
        Heard heard = new Heard();
        RedisConnectionException failure = connectionFailure(driver.subscribe(fresh(), heard));
        assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
        assertThat(failure).hasMessageContaining("closed");
        assertThat(heard.ends()).isZero();
    }

    @Test
    default void closedPortFailsSubscription() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        ThreadWatch threads = new ThreadWatch();
        Heard heard = new Heard();
        try (RedisDriver driver = open("redis://127.0.0.1:" + port)) {
            RedisConnectionException refused = connectionFailure(driver.subscribe(fresh(), heard));
            assertThat(refused.failure()).isEqualTo(Failure.NOT_CONNECTED);
            assertThat(refused).hasMessageContaining("127.0.0.1:" + port).hasMessageContaining("refused");
        }
        assertNeverBegan(heard, threads);
    }

    /** The server may be asked for a name or a password first: then the connect timeout is the one that counts. */
    @Test
    default void silentServerFailsSubscription() throws IOException {
        ThreadWatch threads = new ThreadWatch();
        Heard heard = new Heard();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RedisDriver driver = open("redis://:secret@127.0.0.1:" + silent.getLocalPort()
                        + "?connectTimeout=200ms&commandTimeout=60s")) {
            RedisConnectionException failure = connectionFailure(driver.subscribe(fresh(), heard));
            assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
        }
        assertNeverBegan(heard, threads);
    }

    @Test
    default void noConfirmationInTimeIsTimedOut() {
        ThreadWatch threads = new ThreadWatch();
        Heard heard = new Heard();
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri() + "?connectTimeout=60s&commandTimeout=200ms")) {
            ServerConsole console = new ServerConsole(server());
            String channel = fresh();
            proxy.swallowReplies();
            RedisConnectionException failure = connectionFailure(driver.subscribe(channel, heard));
            assertThat(failure.failure()).isEqualTo(Failure.TIMED_OUT);
            assertThat(failure)
                    .hasMessageContaining("127.0.0.1:" + proxy.port())
                    .hasMessageContaining("200 ms");
            eventually("the server counts no subscriber", () -> "0".equals(console.ask("PUBLISH", channel, "lost")));
            proxy.heal();
            eventually("its connection is gone", () -> proxy.connections() == 0);
        }
        assertNeverBegan(heard, threads);
    }

    @Test
    default void forbiddenChannelQuotesServer() {
        String name = fresh();
        Heard heard = new Heard();
        try (EmbeddedRedis locked = EmbeddedRedis.builder()
                .option("user", "keyhold", "on", ">secret", "~*", "+@all", "resetchannels", "&allowed*")
                .start()) {
            ThreadWatch threads = new ThreadWatch();
            String uri = locked.uri().replace("://", "://keyhold:secret@");
            try (RedisDriver driver = open(uri + "?clientName=" + name)) {
                assertThat(error(driver.subscribe("forbidden", heard)).code()).isEqualTo("NOPERM");
                ServerConsole console = new ServerConsole(locked);
                eventually("its connection is gone", () -> console.connectionsNamed(name) == 0);
                Heard allowed = new Heard();
                reply(driver.subscribe("allowed channel", allowed));
                assertThat(console.ask("PUBLISH", "allowed channel", "welcome")).isEqualTo("1");
                assertThat(allowed.next()).isEqualTo("welcome");
            }
            assertNeverBegan(heard, threads);
        }
    }

    /** Some clients call a connection open a moment too early, and some lose the server's words. Few tries show it. */
    @Test
    default void everyPasswordIsAcceptedOrRefused() {
        try (EmbeddedRedis locked =
                        EmbeddedRedis.builder().option("requirepass", "secret").start();
                RedisDriver right = open(locked.uri().replace("://", "://:secret@"));
                RedisDriver wrong = open(locked.uri().replace("://", "://:wrong@"))) {
            for (int i = 0; i < 100; i++) {
                reply(right.subscribe(fresh(), new Heard())).close();
                assertThat(error(wrong.subscribe(fresh(), new Heard())).code()).isEqualTo("WRONGPASS");
            }
        }
    }

    /** Without threads of the driver, the end cannot be reported a second time. */
    private static void assertEndedOnce(Heard heard, ThreadWatch threads) {
        heard.end();
        threads.awaitAtMost(0);
        assertThat(heard.ends()).isEqualTo(1);
    }

    private static void assertNeverBegan(Heard heard, ThreadWatch threads) {
        threads.awaitAtMost(0);
        assertThat(heard.ends()).isZero();
        assertThat(heard.rest()).isEmpty();
    }
}
