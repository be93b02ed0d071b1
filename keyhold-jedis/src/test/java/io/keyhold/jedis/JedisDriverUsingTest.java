package io.keyhold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** A driver on a client of the application's. */
@Timeout(180)
class JedisDriverUsingTest {

    private static EmbeddedRedis server;

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void clientOutlivesDriver() {
        try (RedisClient client = ApplicationClient.to(server.host(), server.port())) {
            RedisDriver driver = JedisDriver.using(client);
            for (CallMode mode : CallMode.values()) {
                assertThat(reply(driver, mode, "SET", "key", "value")).isEqualTo("OK");
            }
            assertThat(client.get("key")).isEqualTo("value");
            driver.trim();
            driver.close();
            assertThatThrownBy(() -> reply(driver, CallMode.BLOCKING, "PING"))
                    .hasCauseInstanceOf(RedisConnectionException.class)
                    .hasMessageContaining("closed");
            assertThat(client.get("key")).isEqualTo("value");
            assertThat(client.getPool().getNumActive()).isZero();
        }
    }

    /** As Jedis 8 does unless it is told otherwise. */
    @Test
    void resp3RepliesEqualResp2() {
        try (RedisClient client = RedisClient.builder()
                        .hostAndPort(server.host(), server.port())
                        .clientConfig(ApplicationClient.config().resp3().build())
                        .build();
                RedisDriver driver = JedisDriver.using(client)) {
            reply(driver, CallMode.BLOCKING, "HSET", "map", "field", "value");
            assertThat(reply(driver, CallMode.BLOCKING, "HGETALL", "map")).isEqualTo(List.of("field", "value"));
            reply(driver, CallMode.BLOCKING, "ZADD", "scores", "3", "whole", "0.5", "half", "-inf", "least");
            assertThat(reply(driver, CallMode.BLOCKING, "ZSCORE", "scores", "whole"))
                    .isEqualTo("3");
            assertThat(reply(driver, CallMode.BLOCKING, "ZSCORE", "scores", "half"))
                    .isEqualTo("0.5");
            assertThat(reply(driver, CallMode.BLOCKING, "ZSCORE", "scores", "least"))
                    .isEqualTo("-inf");
            assertThat(reply(driver, CallMode.BLOCKING, "ZSCORE", "scores", "none"))
                    .isNull();
            String truth = "redis.setresp(3) return {true, false, 7, 'text'}";
            assertThat(reply(driver, CallMode.BLOCKING, "EVAL", truth, "0")).isEqualTo(List.of(1L, 0L, 7L, "text"));
            assertThat((String) reply(driver, CallMode.BLOCKING, "INFO", "server"))
                    .startsWith("# Server");
        }
    }

    @Test
    void clientOfAnotherKindIsRefused() {
        try (UnifiedJedis client = new OtherClient()) {
            assertThatThrownBy(() -> JedisDriver.using(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("OtherClient is not a RedisClient; pass its pool of connections instead");
        }
    }

    private static final class OtherClient extends UnifiedJedis {

        OtherClient() {
            super(new PooledConnectionProvider(new HostAndPort(server.host(), server.port())), RedisProtocol.RESP2);
        }
    }

    @Test
    void addressIsLearntFromFirstConnection() {
        try (RedisClient client = ApplicationClient.to(server.host(), server.port());
                RedisDriver driver = JedisDriver.using(client)) {
            assertThat(driver.address()).isEqualTo("the application's Redis");
            reply(driver, CallMode.BLOCKING, "PING");
            assertThat(driver.address()).isEqualTo("127.0.0.1:" + server.port());
        }
    }

    @Test
    void brokenConnectionIsNotReturnedToPool() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisClient client = ApplicationClient.to("127.0.0.1", proxy.port());
                RedisDriver driver = JedisDriver.using(client)) {
            reply(driver, CallMode.BLOCKING, "PING");
            CompletableFuture<Void> cut = proxy.cutAfterNextRequestContaining("broken");
            assertThatThrownBy(() -> reply(driver, CallMode.BLOCKING, "ECHO", "broken"))
                    .hasCauseInstanceOf(RedisConnectionException.class);
            cut.join();
            assertThat(client.getPool().getDestroyedCount()).isEqualTo(1);
            assertThat(client.getPool().getNumActive()).isZero();
            assertThat(client.ping()).isEqualTo("PONG");
        }
    }

    /** The pool of this client would wait for ever. */
    @Test
    void waitForExhaustedPoolIsBounded() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        one.setMaxWait(Duration.ofMillis(-1));
        try (RedisClient client = RedisClient.builder()
                        .hostAndPort(server.host(), server.port())
                        .poolConfig(one)
                        .build();
                RedisDriver driver = JedisDriver.using(client)) {
            try (var taken = client.getPool().getResource()) {
                assertThat(taken.ping()).isTrue();
                assertThatThrownBy(() -> reply(driver, CallMode.BLOCKING, "PING"))
                        .hasMessageContaining("became free within 2000 ms");
            }
            assertThat(reply(driver, CallMode.BLOCKING, "PING")).isEqualTo("PONG");
        }
    }

    private static @Nullable Object reply(RedisDriver driver, CallMode mode, String command, String... arguments) {
        return driver.call(RedisCall.of(command, arguments), mode)
                .toCompletableFuture()
                .join();
    }
}
