package io.keyhold.jedis;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.PendingReply;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When Jedis leaves a reply to the calling thread, and that a server that becomes slow does not hold that up. */
@Timeout(120)
final class UnreadReplyTest {

    private static final CallOptions REQUEST = CallOptions.of(CallMode.ASYNCHRONOUS);

    private static EmbeddedRedis server;
    private JedisDriver driver;

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())));
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void replyOfQuickServerIsReadByTheCaller() throws Exception {
        Sent sent = untilLeft("mine");
        Thread[] completer = new Thread[1];
        sent.reply.whenComplete((reply, failure) -> completer[0] = Thread.currentThread());
        while (!sent.left.get(0).read()) { // A stall of the machine: it would be read elsewhere.
            Thread.onSpinWait();
        }
        assertThat(sent.reply.get(1, TimeUnit.MINUTES)).isEqualTo("mine");
        assertThat(completer[0]).isSameAs(Thread.currentThread());
    }

    @Test
    void firstCallsAreNotLeftToTheCaller() throws Exception {
        Sent sent = new Sent("first", REQUEST);
        assertThat(sent.left).isEmpty();
        assertThat(sent.reply.get(1, TimeUnit.MINUTES)).isEqualTo("first");
    }

    @Test
    void stoppedServerIsNotWaitedForAgain() throws Exception {
        untilLeft("quick").finish();
        // A stall of the machine just now may have made it slow.
        Sent frozen;
        while (true) {
            Sent last = untilLeft("last");
            last.finish();
            server.pause();
            frozen = new Sent("frozen", REQUEST);
            if (!frozen.left.isEmpty()) {
                break;
            }
            server.resume();
        }
        Sent next;
        try {
            assertThat(frozen.left.get(0).read()).isFalse();
            frozen.left.get(0).readInBackground();
            next = new Sent("next", REQUEST);
            assertThat(next.left).isEmpty();
        } finally {
            server.resume();
        }
        assertThat(frozen.reply.get(1, TimeUnit.MINUTES)).isEqualTo("frozen");
        assertThat(next.reply.get(1, TimeUnit.MINUTES)).isEqualTo("next");
    }

    /** It would have to be asked with PING first, which waits. */
    @Test
    void releaseOnSilentConnectionIsNotLeft() throws Exception {
        untilLeft("quick").finish();
        TimeUnit.MILLISECONDS.sleep(50); // The rule is about the time that has passed since the last reply.
        Sent release = new Sent("release", CallOptions.of(CallMode.ASYNCHRONOUS, CallLane.RELEASE));
        assertThat(release.left).isEmpty();
        assertThat(release.reply.get(1, TimeUnit.MINUTES)).isEqualTo("release");
    }

    @Test
    void interruptedThreadReadsAndStaysInterrupted() throws Exception {
        Sent sent = untilLeft("mine");
        Thread.currentThread().interrupt();
        if (!sent.left.get(0).read()) {
            sent.left.get(0).readInBackground();
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(sent.reply.get(1, TimeUnit.MINUTES)).isEqualTo("mine");
    }

    /** As where there is no memory left to keep it. The connection must not be lost with it. */
    @Test
    void replyThatCannotBeKeptIsReadElsewhere() throws Exception {
        try (JedisDriver single =
                JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri() + "?maxConnections=1")))) {
            AtomicInteger left = new AtomicInteger();
            while (left.get() == 0) { // Until the server has been quick several times.
                assertThat(single.call(RedisCall.of("ECHO", "kept"), REQUEST, pending -> {
                                    left.incrementAndGet();
                                    throw new AssertionError("on purpose");
                                })
                                .toCompletableFuture()
                                .get(1, TimeUnit.MINUTES))
                        .isEqualTo("kept");
            }
            assertThat(single.call(RedisCall.of("ECHO", "next"), CallMode.BLOCKING)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo("next");
        }
    }

    /** Repeats the call until its reply is left: the server must have been quick several times, on a machine that may stall. */
    private Sent untilLeft(String text) throws Exception {
        while (true) {
            Sent sent = new Sent(text, REQUEST);
            if (!sent.left.isEmpty()) {
                return sent;
            }
            sent.finish();
        }
    }

    private final class Sent {

        final List<PendingReply> left = new ArrayList<>();
        final CompletableFuture<@Nullable Object> reply;

        Sent(String text, CallOptions options) {
            reply = driver.call(RedisCall.of("ECHO", text), options, left::add).toCompletableFuture();
        }

        void finish() throws Exception {
            if (!left.isEmpty() && !left.get(0).read()) {
                left.get(0).readInBackground();
            }
            reply.get(1, TimeUnit.MINUTES);
        }
    }
}
