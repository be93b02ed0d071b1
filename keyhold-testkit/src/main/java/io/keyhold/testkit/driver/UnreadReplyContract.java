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
import io.keyhold.spi.PendingReply;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls whose replies the calling thread would read itself. A driver may leave it some of them, or none. */
public interface UnreadReplyContract extends DriverUnderTest {

    @Test
    default void everyUnreadCallGetsItsOwnReply() {
        try (RedisDriver driver = open()) {
            for (int round = 0; round < 100; round++) {
                List<PendingReply> unread = new ArrayList<>();
                List<CompletionStage<@Nullable Object>> calls = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    calls.add(driver.call(RedisCall.of("ECHO", round + "/" + i), request(), unread::add));
                }
                // The last of them without waiting for it.
                for (int i = 0; i < unread.size(); i++) {
                    if (i == 2 || !unread.get(i).read()) {
                        unread.get(i).readInBackground();
                    }
                }
                for (int i = 0; i < 3; i++) {
                    assertThat(reply(calls.get(i))).isEqualTo(round + "/" + i);
                }
            }
        }
    }

    @Test
    default void errorFailsUnreadCallAndNotTheNext() {
        try (RedisDriver driver = open()) {
            beQuick(driver);
            assertThat(error(call(driver, RedisCall.of("INCR"))).code()).isEqualTo("ERR");
            assertThat(reply(call(driver, RedisCall.of("ECHO", "next")))).isEqualTo("next");
        }
    }

    @Test
    default void connectionThatBreaksCutsUnreadCall() {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                RedisDriver driver = open(proxy.uri())) {
            String key = fresh();
            beQuick(driver);
            var cut = proxy.cutAfterNextRequestContaining(key);
            assertThat(connectionFailure(call(driver, RedisCall.of("INCR", key)))
                            .failure())
                    .isEqualTo(Failure.CONNECTION_LOST);
            reply(cut);
            assertThat(reply(call(driver, RedisCall.of("INCR", key)))).isEqualTo(2L);
        }
    }

    @Test
    default void unreadCallWithoutReplyTimesOut() {
        undisturbed(() -> {
            try (TcpProxy proxy = TcpProxy.to(server().host(), server().port());
                    RedisDriver driver = open(proxy.uri() + "?commandTimeout=500ms")) {
                String key = fresh();
                beQuick(driver);
                proxy.swallowReplies();
                assertThat(connectionFailure(call(driver, RedisCall.of("INCR", key)))
                                .failure())
                        .isEqualTo(Failure.TIMED_OUT);
                proxy.heal();
                assertThat(reply(call(driver, RedisCall.of("INCR", key)))).isEqualTo(2L);
            }
        });
    }

    /** As for any other call: it may have been executed, so it must not count as not sent. */
    @Test
    default void closeFailsUnreadCall() {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port())) {
            RedisDriver driver = open(proxy.uri());
            ServerConsole console = new ServerConsole(server());
            String key = fresh();
            beQuick(driver);
            proxy.swallowReplies();
            List<PendingReply> unread = new ArrayList<>();
            var call = driver.call(RedisCall.of("INCR", key), request(), unread::add);
            eventually("it is executed", () -> "1".equals(console.ask("GET", key)));
            driver.close();
            unread.forEach(PendingReply::readInBackground);
            RedisConnectionException failure = connectionFailure(call);
            assertThat(failure.failure()).isEqualTo(Failure.CONNECTION_LOST);
        }
    }

    @Test
    default void unreadReleaseAfterIdleCloseSucceeds() {
        try (EmbeddedRedis own = EmbeddedRedis.start();
                RedisDriver driver = open(own.uri())) {
            beQuick(driver);
            own.restart(); // May take a few milliseconds only.
            Outcomes.pause(Duration.ofMillis(50));
            List<PendingReply> unread = new ArrayList<>();
            CallOptions release = CallOptions.of(CallMode.ASYNCHRONOUS, CallLane.RELEASE);
            var call = driver.call(RedisCall.of("INCR", fresh()), release, unread::add);
            read(unread);
            assertThat(reply(call)).isEqualTo(1L);
        }
    }

    /** Replies, so that the driver knows the server as quick, if it is. */
    private static void beQuick(RedisDriver driver) {
        List<PendingReply> unread = new ArrayList<>();
        for (int i = 0; i < 100 && unread.isEmpty(); i++) {
            var call = driver.call(RedisCall.of("PING"), request(), unread::add);
            read(unread);
            reply(call);
        }
    }

    private static CompletionStage<@Nullable Object> call(RedisDriver driver, RedisCall call) {
        List<PendingReply> unread = new ArrayList<>();
        CompletionStage<@Nullable Object> reply = driver.call(call, request(), unread::add);
        read(unread);
        return reply;
    }

    private static void read(List<PendingReply> unread) {
        for (PendingReply pending : unread) {
            if (!pending.read()) {
                pending.readInBackground();
            }
        }
    }

    private static CallOptions request() {
        return CallOptions.of(CallMode.ASYNCHRONOUS);
    }
}
