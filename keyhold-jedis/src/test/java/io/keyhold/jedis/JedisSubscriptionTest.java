package io.keyhold.jedis;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;

/** The threads of subscriptions, and subscriptions on a client of the application's. */
@Timeout(180)
class JedisSubscriptionTest {

    private static EmbeddedRedis server;

    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Throwable> end = new CompletableFuture<>();
    private final RedisListener listener = new RedisListener() {
        @Override
        public void onMessage(String text) {
            messages.add(text);
        }

        @Override
        public void onClosed(Throwable reason) {
            end.complete(reason);
        }
    };

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Those of another test may still be about to end. */
    @BeforeEach
    void waitForThreadsToEnd() throws InterruptedException {
        for (Thread thread : subscriptionThreads()) {
            thread.join();
        }
    }

    @Test
    void subscriptionHasOneDaemonThread() throws InterruptedException {
        try (RedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            RedisSubscription subscription = begin(driver, "threads");
            List<Thread> threads = subscriptionThreads();
            assertThat(threads).hasSize(1).allMatch(Thread::isDaemon);
            subscription.close();
            threads.get(0).join();
            assertThat(end).isCompleted();
            assertThat(driver.call(RedisCall.of("PUBLISH", "threads", "unheard"), CallMode.BLOCKING)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(0L);
        }
    }

    /** A server that does not reply is waited for by the new thread, while the caller goes on. */
    @Test
    void subscribeDoesNotWaitForConnection() {
        server.pause();
        try (RedisDriver driver = JedisDriver.open(
                RedisUri.parse(server.uri() + "?clientName=patient&connectTimeout=20s&commandTimeout=20s"))) {
            var subscription = driver.subscribe("paused", listener).toCompletableFuture();
            assertThat(subscription).isNotDone();
            server.resume();
            subscription.join();
        } finally {
            server.resume();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RESP2", "RESP3"})
    void subscriptionClosesItsPooledConnection(RedisProtocol protocol) throws Exception {
        try (RedisClient client = RedisClient.builder()
                        .hostAndPort(server.host(), server.port())
                        .clientConfig(
                                ApplicationClient.config().protocol(protocol).build())
                        .build();
                RedisDriver driver = JedisDriver.using(client)) {
            RedisSubscription subscription = begin(driver, "application");
            assertThat(client.getPool().getNumActive()).isEqualTo(1);
            assertThat(client.publish("application", "é")).isEqualTo(1);
            assertThat(messages.take()).isEqualTo("é");
            List<Thread> threads = subscriptionThreads();
            subscription.close();
            assertThat(end.join()).isInstanceOf(RedisConnectionException.class);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(client.getPool().getNumActive()).isZero();
            assertThat(client.getPool().getDestroyedCount()).isEqualTo(1);
            assertThat(client.ping()).isEqualTo("PONG");
        }
    }

    @Test
    void closeEndsSubscriptionOnApplicationPool() throws InterruptedException {
        try (RedisClient client = ApplicationClient.to(server.host(), server.port())) {
            RedisDriver driver = JedisDriver.using(client);
            begin(driver, "closing");
            List<Thread> threads = subscriptionThreads();
            driver.close();
            assertThat(end.join()).hasMessageContaining("the driver").hasMessageContaining("closed");
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(client.getPool().getNumActive()).isZero();
            assertThat(client.ping()).isEqualTo("PONG");
        }
    }

    @Test
    void exhaustedPoolFailsSubscription() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        try (RedisClient client = RedisClient.builder()
                        .hostAndPort(server.host(), server.port())
                        .poolConfig(one)
                        .build();
                RedisDriver driver = JedisDriver.using(client);
                var taken = client.getPool().getResource()) {
            assertThat(taken.ping()).isTrue();
            assertThatThrownBy(() -> begin(driver, "exhausted")).hasMessageContaining("became free within");
            assertThat(end).isNotDone();
        }
    }

    private RedisSubscription begin(RedisDriver driver, String channel) {
        return driver.subscribe(channel, listener).toCompletableFuture().join();
    }

    private static List<Thread> subscriptionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(JedisDriver.THREAD_PREFIX + "subscription-"))
                .toList();
    }
}
