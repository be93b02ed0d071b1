package io.keyhold.lettuce;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unix domain sockets, which need netty's native transport. The build runs this in a JVM of its own that has it. */
@Timeout(180)
@EnabledIfSystemProperty(named = "io.lettuce.core.epoll", matches = "true")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
@Tag("full")
class LettuceDriverSocketTest {

    @ParameterizedTest
    @EnumSource
    void callsAndSessionsGoThroughSocket(CallMode mode, @TempDir Path directory) {
        Path socket = directory.resolve("redis.sock");
        try (EmbeddedRedis server = EmbeddedRedis.builder()
                        .option("unixsocket", socket.toString())
                        .option("requirepass", "secret")
                        .start();
                RedisDriver driver = LettuceDriver.open(RedisUri.parse(
                        withLongTimeouts("redis-socket://:secret@" + socket + "?db=2&clientName=by-socket")))) {
            assertThat(server.isRunning()).isTrue();
            assertThat(driver.address()).isEqualTo(socket.toString());
            String info = (String) driver.call(RedisCall.of("CLIENT", "INFO"), mode)
                    .toCompletableFuture()
                    .join();
            assertThat(info).contains("addr=" + socket).contains("db=2").contains("name=by-socket");
            var session = driver.withSession(mode, lent -> lent.transaction(List.of(RedisCall.of("INCR", "key"))));
            assertThat(session.toCompletableFuture().join()).containsExactly(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingSocketIsNamed(CallMode mode, @TempDir Path directory) {
        Path missing = directory.resolve("missing.sock");
        try (RedisDriver driver = LettuceDriver.open(RedisUri.parse("redis-socket://" + missing))) {
            assertThatThrownBy(() -> driver.call(RedisCall.of("PING"), mode)
                            .toCompletableFuture()
                            .join())
                    .hasCauseInstanceOf(RedisConnectionException.class)
                    .hasMessageContaining(missing.toString());
        }
    }

    /** With the native transport on the class path, TCP goes through it too. */
    @Test
    void tcpGoesThroughNativeTransport() {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RedisDriver driver = LettuceDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            assertThat(driver.call(RedisCall.of("PING"), CallMode.BLOCKING)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo("PONG");
        }
    }
}
