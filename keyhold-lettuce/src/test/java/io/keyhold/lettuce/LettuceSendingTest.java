package io.keyhold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a command counts as sent. */
@Timeout(60)
class LettuceSendingTest {

    /** A lease that counted from its dispatch would be over before a busy thread had sent the request. */
    @Test
    void commandThatWaitsForTheWritingThreadIsNotSent() throws InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = LettuceDriver.open(RedisUri.parse(server.uri() + "?commandTimeout=30s"))) {
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch free = new CountDownLatch(1);
            driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS).thenAccept(pong -> {
                busy.countDown();
                awaitQuietly(free);
            });
            busy.await();
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

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
