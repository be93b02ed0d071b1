package io.keyhold.lettuce;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver on a client of the application's. */
@Timeout(180)
@Tag("full")
class LettuceDriverUsingTest {

    private static EmbeddedRedis server;

    private final RedisClient client = RedisClient.create();

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void shutDownClient() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    @Test
    void clientIsNeitherChangedNorShutDown() {
        RedisURI uri = RedisURI.create(server.uri());
        ClientOptions options = client.getOptions();
        StatefulRedisConnection<String, String> connection = client.connect(uri);
        RedisDriver driver = LettuceDriver.using(client, uri);
        assertThat(driver.address()).isEqualTo("127.0.0.1:" + server.port());
        assertThat(reply(driver, "SET", "key", "value")).isEqualTo("OK");
        driver.close();
        assertThatThrownBy(() -> reply(driver, "PING")).hasCauseInstanceOf(RedisConnectionException.class);
        assertThat(client.getOptions()).isSameAs(options);
        assertThat(connection.sync().get("key")).isEqualTo("value");
        assertThat(client.connect(uri).sync().ping()).isEqualTo("PONG");
    }

    /** The client is told to reconnect, which would send the command again. */
    @Test
    void commandIsNotRepeated() {
        client.setOptions(ClientOptions.builder().autoReconnect(true).build());
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisDriver driver = LettuceDriver.using(client, RedisURI.create(proxy.uri()))) {
            reply(driver, "PING");
            CompletableFuture<Void> cut = proxy.cutAfterNextRequestContaining("counter");
            assertThatThrownBy(() -> reply(driver, "INCR", "counter"))
                    .hasCauseInstanceOf(RedisConnectionException.class);
            cut.join();
            assertThat(reply(driver, "INCR", "counter")).isEqualTo(2L);
        }
    }

    /** Lettuce itself fails here once in fifty times or so. */
    @Test
    void connectionIsOpenAtFirstUse() {
        try (EmbeddedRedis locked =
                EmbeddedRedis.builder().option("requirepass", "secret").start()) {
            RedisURI uri = RedisURI.create(locked.uri().replace("://", "://:secret@"));
            // A client that has no connection would end its threads with each driver, and start them with the next.
            assertThat(client.connect(uri).sync().ping()).isEqualTo("PONG");
            for (int i = 0; i < 200; i++) {
                try (RedisDriver driver = LettuceDriver.using(client, uri)) {
                    assertThat(reply(driver, "PING")).isEqualTo("PONG");
                }
            }
        }
    }

    @Test
    void clientWithoutTimeoutsGetsThoseOfUri() {
        undisturbed(() -> {
            client.setOptions(ClientOptions.builder()
                    .timeoutOptions(
                            TimeoutOptions.builder().timeoutCommands(false).build())
                    .build());
            try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                    RedisDriver driver = LettuceDriver.using(client, RedisURI.create(proxy.uri() + "?timeout=5s"))) {
                reply(driver, "PING");
                proxy.swallowReplies();
                assertThatThrownBy(() -> reply(driver, "PING")).hasMessageContaining("within 5000 ms");
            }
        });
    }

    private static @Nullable Object reply(RedisDriver driver, String command, String... arguments) {
        return driver.call(RedisCall.of(command, arguments), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }
}
