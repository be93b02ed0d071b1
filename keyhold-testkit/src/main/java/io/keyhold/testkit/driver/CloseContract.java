package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.connectionFailure;
import static io.keyhold.testkit.driver.Outcomes.eventually;
import static io.keyhold.testkit.driver.Outcomes.failure;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisDriver;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.testkit.ThreadWatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A driver opens nothing before its first call, and leaves nothing behind. Some of these tests count the threads of the JVM. */
public interface CloseContract extends DriverUnderTest {

    @Test
    default void nothingIsOpenedBeforeFirstCall() {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port())) {
            ThreadWatch threads = new ThreadWatch();
            try (RedisDriver driver = open(proxy.uri())) {
                driver.trim();
                // Those that another test's driver has left behind may still be about to end.
                threads.awaitAtMost(0);
                assertThat(proxy.accepted()).isZero();
                reply(driver.call(RedisCall.of("PING"), CallMode.BLOCKING));
                assertThat(proxy.accepted()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    default void closedDriverSendsNothing(CallMode mode) {
        RedisDriver driver = open();
        reply(driver.call(RedisCall.of("PING"), mode));
        driver.close();
        driver.close();
        driver.trim();
        RedisConnectionException failure = connectionFailure(driver.call(RedisCall.of("PING"), mode));
        assertThat(failure.failure()).isEqualTo(Failure.NOT_CONNECTED);
        assertThat(failure).hasMessageContaining("closed").hasMessageContaining("127.0.0.1:" + server().port());
        AtomicBoolean begun = new AtomicBoolean();
        var session = driver.withSession(mode, unused -> {
            begun.set(true);
            return CompletableFuture.completedFuture(1);
        });
        assertThat(connectionFailure(session).failure()).isEqualTo(Failure.NOT_CONNECTED);
        assertThat(begun).isFalse();
    }

    @Test
    default void unusedDriverCanBeClosed() {
        RedisDriver driver = open();
        driver.close();
        assertThat(connectionFailure(driver.call(RedisCall.of("PING"), CallMode.BLOCKING))
                        .failure())
                .isEqualTo(Failure.NOT_CONNECTED);
    }

    @Test
    default void closingEndsConnectionsAndThreads() {
        String name = fresh();
        ThreadWatch threads = new ThreadWatch();
        RedisDriver driver = open(server().uri() + "?clientName=" + name);
        for (CallMode mode : CallMode.values()) {
            reply(driver.call(RedisCall.of("PING"), mode));
        }
        SessionsAtOnce.hold(driver, 3).end();
        ServerConsole console = new ServerConsole(server());
        assertThat(console.connectionsNamed(name)).isPositive();
        driver.close();
        eventually("no connection is left", () -> console.connectionsNamed(name) == 0);
        threads.awaitAtMost(0);
    }

    @ParameterizedTest
    @EnumSource
    default void closeFailsCallInFlight(CallMode mode) throws InterruptedException {
        closeDuring(mode, driver -> driver.call(RedisCall.of("BLPOP", fresh(), "0"), mode));
    }

    @ParameterizedTest
    @EnumSource
    default void closeFailsSessionInFlight(CallMode mode) throws InterruptedException {
        closeDuring(mode, driver -> Work.pipeline(driver, mode, RedisCall.of("BLPOP", fresh(), "0")));
    }

    /** The call hangs in BLPOP, far from its timeout; it is in flight when the server knows of it. */
    private void closeDuring(CallMode mode, Function<RedisDriver, CompletionStage<?>> call)
            throws InterruptedException {
        String name = fresh();
        RedisDriver driver = open(server().uri() + "?commandTimeout=60s&clientName=" + name);
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread caller = new Thread(() -> outcome.complete(failure(call.apply(driver))), "caller " + mode);
        caller.start();
        ServerConsole console = new ServerConsole(server());
        eventually("the call is in flight", () -> console.blockedNamed(name) > 0);
        driver.close();
        assertThat(reply(outcome)).isInstanceOf(RedisConnectionException.class);
        caller.join();
        eventually("the server has noticed", () -> console.blockedNamed(name) == 0);
    }

    @ParameterizedTest
    @EnumSource
    default void closeFailsCallThatWaitsForConnection(CallMode mode) throws InterruptedException {
        try (TcpProxy proxy = TcpProxy.to(server().host(), server().port())) {
            proxy.swallowRequests();
            RedisDriver driver = open(proxy.uri() + "?commandTimeout=500ms&connectTimeout=500ms&clientName=" + fresh());
            CompletableFuture<Throwable> outcome = new CompletableFuture<>();
            Thread caller =
                    new Thread(() -> outcome.complete(failure(driver.call(RedisCall.of("PING"), mode))), "caller");
            caller.start();
            eventually("it connects", () -> proxy.accepted() > 0);
            driver.close();
            assertThat(reply(outcome)).isInstanceOf(RedisConnectionException.class);
            caller.join();
        }
    }

    /** As a client does that closes itself when a lock is lost. */
    @Test
    default void driverCanBeClosedByCompletionOfItsCall() {
        RedisDriver driver = open();
        var closing = driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS).thenAccept(pong -> driver.close());
        reply(closing);
        assertThat(connectionFailure(driver.call(RedisCall.of("PING"), CallMode.ASYNCHRONOUS))
                        .failure())
                .isEqualTo(Failure.NOT_CONNECTED);
    }
}
