package io.keyhold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.PooledConnection.Generation;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a failed attempt to connect leaves behind. */
@Timeout(180)
class SharedConnectionTest {

    private static final CallOptions OPTIONS = CallOptions.of(CallMode.ASYNCHRONOUS);

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final CompletableFuture<Boolean> shutDown = new CompletableFuture<>();

    @AfterEach
    void stopServer() {
        server.close();
    }

    /** As where the system has no thread left. */
    @Test
    void errorWhileConnectingFailsOneCall() throws Exception {
        Connector connector = connector(Duration.ofMinutes(1));
        AtomicBoolean failed = new AtomicBoolean();
        SharedConnection connection = new SharedConnection(() -> {
            if (failed.compareAndSet(false, true)) {
                throw new OutOfMemoryError("on purpose");
            }
            return connector.connect(new Generation());
        });
        assertThatThrownBy(() -> ping(connection)).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThat(ping(connection)).isEqualTo("PONG");
        connector.close();
        assertThat(shutDown.get(60, TimeUnit.SECONDS)).isTrue();
    }

    /** A time that is too long for the JDK. */
    @Test
    void timeoutThatCannotBeScheduledFailsTheAttempt() throws Exception {
        Connector connector = connector(Duration.ofSeconds(Long.MAX_VALUE));
        assertThatThrownBy(() -> connector.connect(new Generation()).get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RedisConnectionException.class)
                .hasRootCauseInstanceOf(ArithmeticException.class);
        connector.close();
        assertThat(shutDown.get(60, TimeUnit.SECONDS)).isTrue();
    }

    private Connector connector(Duration timeout) {
        RedisUri uri = RedisUri.parse(server.uri());
        SharedThreads threads = new SharedThreads();
        Runnable leave = threads.join();
        return new Connector(
                new Endpoint(uri.address(), timeout, timeout, null),
                ClientSettings.of(uri),
                () -> ClientSettings.ownClient(uri, threads),
                () -> {
                    leave.run();
                    shutDown.complete(true);
                });
    }

    private static Object ping(SharedConnection connection) throws Exception {
        return connection
                .call(RedisCall.of("PING"), OPTIONS)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }
}
