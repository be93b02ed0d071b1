package io.keyhold.jedis;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisUri;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that accepts a connection, says in an error why it does not serve it, and closes it: nothing was executed. */
@Timeout(180)
class RefusedConnectionTest {

    private static final RedisListener DEAF = new RedisListener() {
        @Override
        public void onMessage(String text) {}

        @Override
        public void onClosed(Throwable reason) {}
    };

    @ParameterizedTest
    @ValueSource(strings = {"?clientName=named", "/1?clientName=named"})
    void fullServerIsQuoted(String rest) {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver first = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())));
                RedisDriver second = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri() + rest)))) {
            ask(first, "CONFIG", "SET", "maxclients", "1");
            for (int i = 0; i < 20; i++) {
                assertRefused(second.call(RedisCall.of("PING"), CallMode.BLOCKING));
                assertRefused(second.subscribe("channel", DEAF));
            }
            ask(first, "CONFIG", "SET", "maxclients", "100");
            assertThat(ask(second, "PING")).isEqualTo("PONG");
        }
    }

    private static void assertRefused(CompletionStage<?> stage) {
        assertThatThrownBy(() -> stage.toCompletableFuture().join())
                .hasCauseInstanceOf(RedisErrorException.class)
                .hasMessageContaining("max number of clients reached");
    }

    /** Such as a name with a space, which is no reason not to work. */
    @Test
    void refusedNameIsNoFailure() {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver =
                        JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri() + "?clientName=two%20words")))) {
            assertThat(ask(driver, "PING")).isEqualTo("PONG");
        }
    }

    private static @Nullable Object ask(RedisDriver driver, String command, String... arguments) {
        return driver.call(RedisCall.of(command, arguments), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
    }
}
