package io.keyhold.testkit.driver;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.eventually;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.testkit.TcpProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is heard on a channel, and on which connection. */
public interface SubscriptionContract extends DriverUnderTest {

    @Test
    default void messagesAfterConfirmationAreReceived() {
        try (RedisDriver driver = open()) {
            String channel = fresh();
            Heard heard = new Heard();
            assertThat(publish(channel, "before")).isZero();
            reply(driver.subscribe(channel, heard));
            assertThat(publish(channel, "after")).isEqualTo(1);
            assertThat(heard.next()).isEqualTo("after");
            publish(fresh(), "elsewhere");
            publish(channel, "last");
            assertThat(heard.next()).isEqualTo("last");
            assertThat(heard.ends()).isZero();
        }
    }

    /** What a script that grants a lock asks, on the server that executes it. */
    @Test
    default void subscriptionIsOnServerOfCalls() {
        try (RedisDriver driver = open()) {
            String channel = fresh();
            RedisSubscription subscription = reply(driver.subscribe(channel, new Heard()));
            RedisCall count = RedisCall.of("PUBSUB", "NUMSUB", channel);
            for (CallMode mode : CallMode.values()) {
                assertThat(reply(driver.call(count, mode))).isEqualTo(List.of(channel, 1L));
            }
            subscription.close();
            eventually(
                    "it is counted no longer",
                    () -> List.of(channel, 0L).equals(reply(driver.call(count, CallMode.BLOCKING))));
        }
    }

    @Test
    default void messagesArriveInOrder() {
        try (RedisDriver driver = open(server().uri() + "?commandTimeout=30s")) {
            String channel = fresh();
            Heard heard = new Heard();
            reply(driver.subscribe(channel, heard));
            List<String> texts =
                    IntStream.range(0, 10_000).mapToObj(i -> "" + i).toList();
            List<RedisCall> calls = texts.stream()
                    .map(text -> RedisCall.of("PUBLISH", channel, text))
                    .toList();
            reply(driver.withSession(CallMode.ASYNCHRONOUS, session -> session.pipeline(calls)));
            assertThat(heard.next(texts.size())).isEqualTo(texts);
            assertThat(heard.rest()).isEmpty();
        }
    }

    /** A client that begins to listen only when the caller has been told would miss the first of them. */
    @Test
    default void everyCountedMessageIsReceived() {
        try (RedisDriver driver = open();
                RedisDriver publisher = open()) {
            for (int round = 0; round < 20; round++) {
                String channel = fresh();
                Heard heard = new Heard();
                CompletionStage<RedisSubscription> subscription = driver.subscribe(channel, heard);
                List<String> received = new ArrayList<>();
                for (int i = 0; received.size() < 20; i++) {
                    var receivers =
                            publisher.call(RedisCall.of("PUBLISH", channel, round + " " + i), CallMode.BLOCKING);
                    if (reply(receivers).equals(1L)) {
                        received.add(round + " " + i);
                    }
                }
                assertThat(heard.next(received.size())).isEqualTo(received);
                reply(subscription).close();
            }
        }
    }

    @Test
    default void textIsUtf8() {
        try (RedisDriver driver = open()) {
            String channel = fresh() + " 鍵 é \r\n";
            Heard heard = new Heard();
            reply(driver.subscribe(channel, heard));
            for (String text : List.of("é 鍵 🔑", "two\r\nlines", "", "nul \0", "x".repeat(300_000), "message")) {
                assertThat(publish(channel, text)).isEqualTo(1);
                assertThat(heard.next()).isEqualTo(text);
            }
        }
    }

    @Test
    default void subscribingOpensOneConnection() {
        String name = fresh();
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri() + "?clientName=" + name)) {
            reply(driver.subscribe(fresh(), new Heard()));
            assertThat(proxy.accepted()).isEqualTo(1);
            assertThat(new ServerConsole(server()).connectionsNamed(name)).isEqualTo(1);
            reply(driver.subscribe(fresh(), new Heard()));
            assertThat(proxy.accepted()).isEqualTo(2);
        }
    }

    @Test
    default void subscriptionsDoNotCountAsCallConnections() {
        undisturbed(() -> {
            try (RedisDriver driver = open(server().uri() + "?maxConnections=1&connectTimeout=2s")) {
                SessionsAtOnce session = SessionsAtOnce.hold(driver, 1);
                RedisSubscription first = reply(driver.subscribe(fresh(), new Heard()));
                reply(driver.subscribe(fresh(), new Heard()));
                first.close();
                session.end();
                assertThat(reply(driver.call(RedisCall.of("PING"), CallMode.BLOCKING)))
                        .isEqualTo("PONG");
                // Nor does the end of a subscription admit another session.
                SessionsAtOnce only = SessionsAtOnce.hold(driver, 1);
                var second = driver.withSession(
                        CallMode.ASYNCHRONOUS, unused -> CompletableFuture.completedFuture("too many"));
                assertThat(connectionFailure(second).failure()).isEqualTo(Failure.NOT_CONNECTED);
                only.end();
            }
        });
    }

    @Test
    default void subscriptionsReceiveTheirOwnMessages() {
        try (RedisDriver driver = open()) {
            String channel = fresh();
            Heard one = new Heard();
            Heard same = new Heard();
            Heard other = new Heard();
            RedisSubscription first = reply(driver.subscribe(channel, one));
            reply(driver.subscribe(channel, same));
            reply(driver.subscribe(channel + " other", other));
            assertThat(publish(channel, "to two")).isEqualTo(2);
            assertThat(publish(channel + " other", "to one")).isEqualTo(1);
            assertThat(List.of(one.next(), same.next(), other.next())).containsExactly("to two", "to two", "to one");
            first.close();
            one.end();
            publish(channel, "to the second");
            assertThat(same.next()).isEqualTo("to the second");
            assertThat(same.ends() + other.ends()).isZero();
            assertThat(one.rest()).isEmpty();
            assertThat(other.rest()).isEmpty();
        }
    }

    @Test
    default void throwingListenerReceivesNextMessage() {
        try (RedisDriver driver = open()) {
            String channel = fresh();
            Heard heard = new Heard();
            RedisSubscription subscription = reply(driver.subscribe(channel, throwing(heard)));
            for (String text : List.of("exception", "error", "third")) {
                assertThat(publish(channel, text)).isEqualTo(1);
                assertThat(heard.next()).isEqualTo(text);
            }
            subscription.close();
            heard.end();
            // The end must not have harmed what other subscriptions need.
            reply(driver.subscribe(channel, heard));
            publish(channel, "again");
            assertThat(heard.next()).isEqualTo("again");
        }
    }

    private static RedisListener throwing(Heard heard) {
        return new RedisListener() {
            @Override
            public void onMessage(String text) {
                heard.onMessage(text);
                if (text.equals("error")) {
                    throw new AssertionError("on purpose");
                }
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void onClosed(Throwable reason) {
                heard.onClosed(reason);
                throw new IllegalStateException("on purpose");
            }
        };
    }

    /** The wait for a reply that does not come lasts as long as the command timeout, so the silence does too. */
    @Test
    default void silenceDoesNotEndSubscription() {
        undisturbed(() -> {
            try (RedisDriver driver = open(server().uri() + "?commandTimeout=3s")) {
                String channel = fresh();
                Heard heard = new Heard();
                reply(driver.subscribe(channel, heard));
                var silent = driver.call(RedisCall.of("BLPOP", fresh(), "0"), CallMode.ASYNCHRONOUS);
                assertThat(connectionFailure(silent).failure()).isEqualTo(Failure.TIMED_OUT);
                assertThat(publish(channel, "at last")).isEqualTo(1);
                assertThat(heard.next()).isEqualTo("at last");
                assertThat(heard.ends()).isZero();
            }
        });
    }

    /** Publishes without the driver; returns the number of subscribers. */
    private long publish(String channel, String text) {
        return Long.parseLong(String.valueOf(new ServerConsole(server()).ask("PUBLISH", channel, text)));
    }
}
