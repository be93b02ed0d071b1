package io.keyhold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a command counts as sent. */
@Timeout(180)
@Tag("full")
class LettuceSendingTest {

    /** A lease that counted from its dispatch would be over before a busy thread had sent the request. */
    @Test
    void commandQueuedForWriterIsNotSent() throws InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = open(server);
                RedisDriver other = open(server)) {
            CountDownLatch free = keepBusy(driver, other);
            CompletableFuture<Thread> sent = new CompletableFuture<>();
            CompletableFuture<?> reply = driver.call(
                            RedisCall.of("PING"),
                            new CallOptions(
                                    CallMode.ASYNCHRONOUS,
                                    CallLane.REQUEST,
                                    () -> sent.complete(Thread.currentThread())))
                    .toCompletableFuture();
            assertThat(sent).isNotDone();
            free.countDown();
            assertThat(reply.join()).isEqualTo("PONG");
            assertThat(sent.join().getName()).startsWith("lettuce-");
        }
    }

    /** The thread that would notice it is busy: to the caller the connection looks open still. */
    @ParameterizedTest
    @EnumSource
    void releaseAfterUnnoticedCloseSucceeds(Kind kind) throws InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = open(server);
                RedisDriver other = open(server)) {
            kind.release(driver).join(); // Now its connection is open.
            CountDownLatch free = keepBusy(driver, other);
            other.call(RedisCall.of("CLIENT", "KILL", "TYPE", "normal"), CallMode.BLOCKING)
                    .toCompletableFuture()
                    .join();
            // More than a moment since the last reply. Not parkNanos, which may return at once.
            TimeUnit.MILLISECONDS.sleep(50);
            CompletableFuture<?> reply = kind.release(driver);
            free.countDown();
            assertThat(reply.join()).asString().contains("released");
        }
    }

    /** What may release a lock. */
    private enum Kind {
        CALL {
            @Override
            CompletableFuture<?> release(RedisDriver driver) {
                return driver.call(ECHO, RELEASE).toCompletableFuture();
            }
        },
        SESSION {
            @Override
            CompletableFuture<?> release(RedisDriver driver) {
                return driver.withSession(RELEASE, session -> session.pipeline(List.of(ECHO)))
                        .toCompletableFuture();
            }
        };

        private static final CallOptions RELEASE = CallOptions.of(CallMode.ASYNCHRONOUS, CallLane.RELEASE);
        private static final RedisCall ECHO = RedisCall.of("ECHO", "released");

        abstract CompletableFuture<?> release(RedisDriver driver);
    }

    private static RedisDriver open(EmbeddedRedis server) {
        return LettuceDriver.open(RedisUri.parse(server.uri() + "?connectTimeout=30s&commandTimeout=30s"));
    }

    /** Occupies the thread of a driver from now until the latch is opened. */
    private static CountDownLatch keepBusy(RedisDriver driver, RedisDriver other) throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        driver.call(RedisCall.of("BLPOP", "signal", "0"), CallMode.ASYNCHRONOUS).thenAccept(signal -> {
            busy.countDown();
            awaitQuietly(free);
        });
        other.call(RedisCall.of("RPUSH", "signal", "now"), CallMode.BLOCKING);
        busy.await();
        return free;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
