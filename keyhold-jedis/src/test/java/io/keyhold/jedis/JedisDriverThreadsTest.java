package io.keyhold.jedis;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Credentials;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On which threads the work is done. */
@Timeout(180)
class JedisDriverThreadsTest {

    private static final int MAX_THREADS = 8;

    @Test
    void blockingCallRunsOnCallingThread() {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            assertThat(driver.call(RedisCall.of("PING"), CallMode.BLOCKING).toCompletableFuture())
                    .isCompletedWithValue("PONG");
            CompletableFuture<Thread> worker = new CompletableFuture<>();
            var session = driver.withSession(CallMode.BLOCKING, lent -> {
                worker.complete(Thread.currentThread());
                return lent.pipeline(List.of(RedisCall.of("PING")));
            });
            assertThat(session.toCompletableFuture()).isCompletedWithValue(List.of("PONG"));
            assertThat(worker).isCompletedWithValue(Thread.currentThread());
            assertThat(workers()).isEmpty();
        }
    }

    @Test
    void idleDriverHasNoThreads() throws InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            List<CompletableFuture<Object>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(
                        driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS).toCompletableFuture());
            }
            List<Thread> busy = workers();
            assertThat(busy).hasSizeLessThanOrEqualTo(MAX_THREADS).allMatch(Thread::isDaemon);
            calls.forEach(CompletableFuture::join);
            for (Thread worker : busy) {
                worker.join();
            }
            assertThat(workers()).isEmpty();
            assertThat(driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo("PONG");
        }
    }

    /** The work continues on a thread that must not wait for replies: the server is paused, so that none arrives before it is free again. */
    @Test
    void asynchronousSessionNeverBlocksForeignThread() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver =
                        JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri() + "?commandTimeout=60s")))) {
            ExecutorService foreign = Executors.newSingleThreadExecutor();
            try {
                CompletableFuture<Boolean> begun = new CompletableFuture<>();
                CompletableFuture<Boolean> elsewhere = new CompletableFuture<>();
                var outcome = driver.withSession(CallMode.ASYNCHRONOUS, session -> {
                            begun.complete(true);
                            return elsewhere.thenCompose(
                                    now -> session.pipeline(List.of(RedisCall.of("WATCH", "key"))));
                        })
                        .toCompletableFuture();
                begun.join();
                server.pause();
                foreign.submit(() -> elsewhere.complete(true)).get();
                assertThat(outcome).isNotDone();
                server.resume();
                assertThat(outcome.join()).isEqualTo(List.of("OK"));
            } finally {
                foreign.shutdown();
            }
        }
    }

    @Test
    void interruptedThreadsShareFewConnections() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = JedisDriver.open(
                        RedisUri.parse(server.uri() + "?maxConnections=8&connectTimeout=20s&commandTimeout=20s"))) {
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<Object>> replies = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                String word = "" + i;
                replies.add(threads.submit(() -> {
                    Thread.currentThread().interrupt();
                    return driver.call(RedisCall.of("ECHO", word), CallMode.BLOCKING)
                            .toCompletableFuture()
                            .getNow("not done");
                }));
            }
            for (int i = 0; i < replies.size(); i++) {
                assertThat(replies.get(i).get()).isEqualTo("" + i);
            }
            threads.shutdown();
        }
    }

    /** Java closes the socket of a virtual thread that touches it while interrupted. */
    @Test
    void interruptedWaiterConnectsUninterrupted() throws Exception {
        List<Boolean> interrupts = Collections.synchronizedList(new ArrayList<>());
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = JedisDriver.open(
                        RedisUri.parse(server.uri() + "?maxConnections=1&connectTimeout=60s&commandTimeout=60s")
                                .withCredentials(() -> {
                                    interrupts.add(Thread.currentThread().isInterrupted());
                                    return new Credentials("default", "any"); // This user has no password.
                                }))) {
            CompletableFuture<Boolean> end = new CompletableFuture<>();
            var session = driver.withSession(
                    CallMode.BLOCKING, lent -> end.thenCompose(now -> lent.pipeline(List.of(RedisCall.of("PING")))));
            CompletableFuture<Boolean> keptInterrupt = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                driver.call(RedisCall.of("PING"), CallMode.BLOCKING);
                keptInterrupt.complete(Thread.interrupted());
            });
            waiter.start();
            while (waiter.isAlive() && waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            waiter.interrupt();
            server.restart();
            end.complete(true); // Its connection is broken, so that the waiter opens another.
            assertThat(session).isCompletedExceptionally();
            assertThat(keptInterrupt.join()).isTrue();
            assertThat(interrupts).containsExactly(false, false);
        }
    }

    private static List<Thread> workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(JedisDriver.THREAD_PREFIX))
                .toList();
    }
}
