package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that outlives the JVM that started it. */
class DaemonTest {
    @TempDir
    private Path directory;

    private EmbeddedRedisBuilder builder() {
        return EmbeddedRedis.builder().directory(directory);
    }

    @Test
    void leavesThisProcess() throws Exception {
        int port = builder().option("requirepass", "secret").startDaemon();
        try (RawRedis redis = new RawRedis(port)) {
            assertThat(redis.ask("PING").get(0)).startsWith("-NOAUTH");
            redis.ask("AUTH", "secret");
            assertThat(redis.ask("INFO", "server").get(0)).contains("process_id:" + pid() + "\r\n");
            assertThat(ProcessHandle.current().descendants()).noneMatch(child -> child.pid() == pid());
            assertThat(Files.getPosixFilePermissions(directory.resolve("embedded-redis.conf")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            shutDown(redis);
        }
    }

    /** Without a password the process id in the directory tells the server from another one. */
    @Test
    void startsAgainWithItsData() throws Exception {
        int port = builder().option("appendonly", "yes").startDaemon();
        try (RawRedis redis = new RawRedis(port)) {
            redis.ask("SET", "key", "value");
            shutDown(redis);
        }
        assertThat(ReservedPort.reserve(port)).hasValueSatisfying(ReservedPort::close);
        assertThat(builder().option("appendonly", "yes").port(port).startDaemon())
                .isEqualTo(port);
        try (RawRedis redis = new RawRedis(port)) {
            assertThat(redis.ask("GET", "key")).containsExactly("value");
            shutDown(redis);
        }
    }

    @Test
    void refusesTakenPort() {
        try (EmbeddedRedis other = EmbeddedRedis.start()) {
            assertThatThrownBy(() -> builder().port(other.port()).startDaemon())
                    .isInstanceOf(PortTakenException.class)
                    .hasMessage("port " + other.port() + " of 127.0.0.1 is already in use");
        }
    }

    @Test
    void saysWhyItGaveUp() {
        assertThatThrownBy(
                        () -> builder().option("loadmodule", "/no/such/module").startDaemon())
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("instead of starting")
                .hasMessageContaining("/no/such/module");
        assertThatThrownBy(() -> builder().option("no-such-directive", "x").startDaemon())
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("ended with status 1")
                .hasMessageContaining("no-such-directive");
    }

    @Test
    void needsDirectory() {
        assertThatThrownBy(() -> EmbeddedRedis.builder().startDaemon())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("startDaemon() needs directory(path)");
    }

    private long pid() {
        try {
            return Long.parseLong(
                    Files.readString(directory.resolve("embedded-redis.pid")).strip());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void shutDown(RawRedis redis) throws IOException {
        redis.send("SHUTDOWN", "NOSAVE");
        redis.awaitEnd();
    }
}
