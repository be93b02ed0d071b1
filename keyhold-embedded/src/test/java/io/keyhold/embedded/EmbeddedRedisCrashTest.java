package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What a test can do to a server: stop it, let it go on, crash it, bring it back. */
class EmbeddedRedisCrashTest {
    @RepeatedTest(5)
    void pausedServerIsSilentUntilResumed() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                RawRedis connection = new RawRedis(redis)) {
            redis.pause();
            assertThat(redis.isRunning()).isTrue();
            connection.readTimeout(Duration.ofMillis(100));
            connection.send("INCR", "visits");
            assertThatThrownBy(connection::receive).isInstanceOf(SocketTimeoutException.class);

            redis.resume();
            connection.readTimeout(Duration.ofMinutes(1));
            assertThat(connection.receive()).containsExactly("1");
        }
    }

    @Test
    void pausingTwiceIsHarmless() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            redis.pause();
            redis.pause();
            redis.resume();
            redis.resume();
            assertThat(RawRedis.ask(redis, "PING")).containsExactly("PONG");
        }
    }

    @RepeatedTest(5)
    void killedServerRestartsEmptyOnItsPort() throws Exception {
        try (EmbeddedRedis redis =
                EmbeddedRedis.builder().option("maxmemory", "2mb").start()) {
            int port = redis.port();
            long pid = redis.pid();
            assertThat(RawRedis.ask(redis, "SET", "color", "green")).containsExactly("OK");

            redis.kill();
            assertThat(redis.isRunning()).isFalse();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            redis.kill();

            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.pid()).isNotEqualTo(pid);
            assertThat(RawRedis.ask(redis, "GET", "color")).containsExactly("(nil)");
            assertThat(RawRedis.ask(redis, "CONFIG", "GET", "maxmemory")).containsExactly("maxmemory", "2097152");
        }
    }

    @Test
    void restartKeepsWrittenData() throws Exception {
        EmbeddedRedisBuilder durable =
                EmbeddedRedis.builder().option("appendonly", "yes").option("appendfsync", "always");
        try (EmbeddedRedis redis = durable.start()) {
            long pid = redis.pid();
            assertThat(RawRedis.ask(redis, "SET", "color", "green")).containsExactly("OK");
            redis.restart();
            assertThat(redis.pid()).isNotEqualTo(pid);
            assertThat(RawRedis.ask(redis, "GET", "color")).containsExactly("green");
        }
    }

    @Test
    void pausedServerCanBeRestartedAndClosed() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            redis.pause();
            redis.restart();
            assertThat(RawRedis.ask(redis, "PING")).containsExactly("PONG");
            redis.pause();
        }
    }

    @Test
    void serverThatEndsByItselfEndsItsGuard() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            ProcessHandle server = ProcessHandle.of(redis.pid()).orElseThrow();
            ProcessHandle guard = server.children().findFirst().orElseThrow();
            try (RawRedis connection = new RawRedis(redis)) {
                connection.send("SHUTDOWN", "NOSAVE");
                connection.awaitEnd();
            }
            server.onExit().get(60, TimeUnit.SECONDS);
            while (redis.isRunning()) { // The end is told to both, in no order.
                Thread.onSpinWait();
            }
            awaitEndOfOrphan(guard);

            redis.restart();
            assertThat(RawRedis.ask(redis, "PING")).containsExactly("PONG");
        }
    }

    private static void awaitEndOfOrphan(ProcessHandle orphan) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (orphan.isAlive() && !isZombie(orphan)) {
            assertThat(System.nanoTime()).as("the guard has to end").isLessThan(deadline);
            Thread.sleep(1);
        }
    }

    /** In a container whose first process does not care for orphans, they stay in the list of processes as zombies. */
    private static boolean isZombie(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"))
                    .contains(") Z ");
        } catch (IOException goneOrNotLinux) {
            return false;
        }
    }
}
