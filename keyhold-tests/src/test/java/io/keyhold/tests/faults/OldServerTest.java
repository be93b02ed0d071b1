package io.keyhold.tests.faults;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.StoreRefusedException;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.RedisSubscription;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that does not understand a script: the message says so if it is too old, and is the server's own otherwise. */
class OldServerTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6.0.16 | ERR syntax error              | is version 6.0.16; Keyhold needs Redis 6.2 or later, or Valkey",
                "5.0.14 | ERR unknown command `EVALSHA` | is version 5.0.14; Keyhold needs Redis 6.2 or later, or Valkey",
                "6.2.11 | ERR syntax error              | says: ERR syntax error",
                "7.2.4  | ERR syntax error              | says: ERR syntax error",
                "10.0.0 | ERR syntax error              | says: ERR syntax error",
                "6.0.16 | ERR something else            | says: ERR something else",
                "none   | ERR syntax error              | says: ERR syntax error"
            })
    void tooOldServerIsNamed(String version, String refusal, String reason) {
        try (Keyhold keyhold =
                Keyhold.builder().driver(new ServerOf(version, refusal)).build()) {
            assertThatThrownBy(() -> keyhold.lock("a").acquire())
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessage("cannot acquire lock 'a': Redis at old:6379 " + reason);
        }
    }

    /** As Redis 6.0.16 replies: it reads the scripts, and refuses a command inside of them. */
    private record ServerOf(String version, String refusal) implements RedisDriver {

        @Override
        public String address() {
            return "old:6379";
        }

        @Override
        public CompletionStage<@Nullable Object> call(RedisCall call, CallOptions options) {
            return call.command().equals("INFO") && !version.equals("none")
                    ? CompletableFuture.completedStage(
                            "# Server\r\nredis_version:" + version + "\r\nredis_mode:standalone\r\n")
                    : CompletableFuture.failedStage(new RedisErrorException(refusal));
        }

        @Override
        public <T> CompletionStage<T> withSession(
                CallOptions options, Function<RedisSession, CompletionStage<T>> work) {
            return CompletableFuture.failedStage(new RedisErrorException(refusal));
        }

        @Override
        public CompletionStage<RedisSubscription> subscribe(String channel, RedisListener listener) {
            return CompletableFuture.failedStage(new RedisErrorException(refusal));
        }

        @Override
        public void close() {}
    }
}
