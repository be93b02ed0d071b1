package io.keyhold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.PooledConnection.Generation;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.lettuce.core.api.StatefulRedisConnection;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection on which Lettuce runs into an error. */
@Timeout(180)
class LettuceConnectionTest {

    private final AtomicBoolean closed = new AtomicBoolean();
    private final LettuceConnection connection =
            new LettuceConnection(failing(), new Endpoint("localhost", minute(), minute(), null), new Generation());

    /** Part of the command may have been sent. */
    @Test
    void errorFailsCallWithUnknownOutcomeAndClosesConnection() {
        var reply = connection.send(List.of(RedisCall.of("PING")), () -> {});
        assertThatThrownBy(() -> reply.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RedisConnectionException.class)
                .hasRootCauseInstanceOf(InternalError.class)
                .cause()
                .hasFieldOrPropertyWithValue("failure", Failure.CONNECTION_LOST);
        assertThat(closed).isTrue();
    }

    @Test
    void commandThatCannotBeBuiltLeavesConnectionOpenUntilClose() {
        assertThatThrownBy(() -> connection.send(missing(), () -> {})).isInstanceOf(NullPointerException.class);
        assertThat(closed).isFalse();
        connection.close();
        assertThat(closed).isTrue();
    }

    @Test
    void connectionThatCannotBeTestedIsNotAlive() throws Exception {
        while (!connection.needsPing(CallLane.RELEASE)) { // The rule is about the time since the last reply.
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(connection.isAliveFor(CallLane.RELEASE).get(60, TimeUnit.SECONDS))
                .isFalse();
        assertThat(closed).isTrue();
    }

    private static Duration minute() {
        return Duration.ofMinutes(1);
    }

    @SuppressWarnings("NullAway")
    private static List<RedisCall> missing() {
        return null;
    }

    /** Returns a connection on which nothing can be sent. */
    @SuppressWarnings("unchecked")
    private StatefulRedisConnection<String, String> failing() {
        return (StatefulRedisConnection<String, String>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StatefulRedisConnection.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "dispatch" -> throw new InternalError("on purpose");
                        case "closeAsync" -> closed.set(true);
                        default -> {}
                    }
                    return method.getName().equals("closeAsync") ? CompletableFuture.completedFuture(null) : true;
                });
    }
}
