package io.keyhold.testkit.driver;

import static io.keyhold.testkit.driver.DriverUnderTest.fresh;
import static io.keyhold.testkit.driver.Outcomes.eventually;
import static io.keyhold.testkit.driver.Outcomes.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A release never goes out on a connection that died while it was idle. Holds for an application's connections too. */
public interface IdleReleaseContract extends DriverUnderTest {

    @ParameterizedTest
    @EnumSource
    default void releaseAfterIdleCloseSucceeds(CallMode mode) {
        try (RedisDriver driver = open()) {
            idle(driver, mode);
            closeConnections();
            assertThat(reply(driver.call(RedisCall.of("INCR", fresh()), release(mode))))
                    .isEqualTo(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void releasingSessionAfterIdleCloseSucceeds(CallMode mode) {
        try (RedisDriver driver = open()) {
            idle(driver, mode);
            closeConnections();
            assertThat(reply(Work.watchedIncrement(driver, release(mode), fresh())))
                    .containsExactly(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void releaseAfterRestartSucceeds(CallMode mode) {
        try (RedisDriver driver = open()) {
            idle(driver, mode);
            server().restart();
            assertThat(reply(driver.call(RedisCall.of("INCR", fresh()), release(mode))))
                    .isEqualTo(1L);
        }
        try (RedisDriver driver = open()) {
            idle(driver, mode);
            server().restart();
            assertThat(reply(Work.watchedIncrement(driver, release(mode), fresh())))
                    .containsExactly(1L);
        }
    }

    /** Any reply shows that the connection is alive, a refusal too. */
    @ParameterizedTest
    @EnumSource
    default void releaseSucceedsForUserWithoutPing(CallMode mode) {
        ServerConsole console = new ServerConsole(server());
        console.ask("ACL", "SETUSER", "default", "-ping");
        try (RedisDriver driver = open()) {
            for (int i = 0; i < 3; i++) {
                idle(driver, mode);
                assertThat(reply(driver.call(RedisCall.of("ECHO", "done"), release(mode))))
                        .isEqualTo("done");
                idle(driver, mode);
                assertThat(reply(Work.pipeline(driver, release(mode), RedisCall.of("ECHO", "done"))))
                        .containsExactly("done");
            }
        } finally {
            console.ask("ACL", "SETUSER", "default", "+ping");
        }
    }

    /** Only a machine that stalls in each of them makes every one wait for longer than a moment. */
    @Test
    default void releaseRightAfterAnotherCallIsSentAtOnce() {
        int pairs = 200;
        try (RedisDriver driver = open()) {
            long before = pings();
            for (int i = 0; i < pairs; i++) {
                reply(driver.call(RedisCall.of("ECHO", "acquired"), CallMode.BLOCKING));
                reply(driver.call(RedisCall.of("ECHO", "released"), release(CallMode.BLOCKING)));
            }
            assertThat(pings() - before).isLessThan(pairs);
        }
    }

    /** How often the server was asked with PING. */
    private long pings() {
        String stats = String.valueOf(new ServerConsole(server()).ask("INFO", "commandstats"));
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_ping:calls="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .sum();
    }

    /** Leaves some connections that have been idle for longer than a moment. */
    private static void idle(RedisDriver driver, CallMode mode) {
        SessionsAtOnce.hold(driver, 3).end();
        reply(driver.call(RedisCall.of("ECHO", "something"), mode));
        Outcomes.pause(Duration.ofMillis(50));
    }

    /** As a server does with connections that have been idle for too long. */
    private void closeConnections() {
        ServerConsole console = new ServerConsole(server());
        console.ask("CLIENT", "KILL", "TYPE", "normal");
        eventually(
                "the server has closed them",
                () -> String.valueOf(console.ask("CLIENT", "LIST", "TYPE", "normal"))
                                .lines()
                                .count()
                        == 1);
    }

    private static CallOptions release(CallMode mode) {
        return CallOptions.of(mode, CallLane.RELEASE);
    }
}
