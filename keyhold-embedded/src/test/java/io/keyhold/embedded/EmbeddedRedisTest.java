package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisTest {
    @RepeatedTest(5)
    void respondsAfterStartAndEndsWithClose() throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.start();
        try (redis) {
            assertThat(RawRedis.ask(redis, "PING")).containsExactly("PONG");
            assertThat(redis.isRunning()).isTrue();
            assertThat(redis.host()).isEqualTo("127.0.0.1");
            assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.port());
            assertThat(redis.directory()).isDirectory();
            assertThat(redis.executable()).isExecutable();
        }
        assertThat(redis.isRunning()).isFalse();
        assertThat(redis.directory()).doesNotExist();
        assertThat(Ports.isFree(redis.port())).isTrue();
        assertThat(ProcessHandle.of(redis.pid())).isEmpty();
    }

    @Test
    void knowsPidOfServer() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(RawRedis.ask(redis, "INFO", "server").get(0)).contains("process_id:" + redis.pid() + "\r\n");
        }
    }

    @Test
    void defaultsAreNoPersistenceAndLoopback() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(setting(redis, "save")).isEmpty();
            assertThat(setting(redis, "appendonly")).isEqualTo("no");
            assertThat(setting(redis, "bind")).isEqualTo("127.0.0.1");
            assertThat(setting(redis, "dir"))
                    .isEqualTo(redis.directory().toRealPath().toString());
        }
    }

    @Test
    void includedFileMakesNoDaemon(@TempDir Path directory) throws Exception {
        Path included = Files.writeString(directory.resolve("included.conf"), "daemonize yes\n");
        try (EmbeddedRedis redis =
                EmbeddedRedis.builder().option("include", included.toString()).start()) {
            assertThat(setting(redis, "daemonize")).isEqualTo("no");
        }
    }

    @Test
    void passesOptionsOn() throws Exception {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder()
                .option("maxmemory", "1mb")
                .option("save", "900", "1")
                .option("SAVE", "60", "10000")
                .option("requirepass", "a \"quoted\" \\ back'slash # häß");
        try (EmbeddedRedis redis = builder.start();
                RawRedis connection = new RawRedis(redis)) {
            assertThat(connection.ask("AUTH", "a \"quoted\" \\ back'slash # häß"))
                    .containsExactly("OK");
            assertThat(connection.ask("CONFIG", "GET", "maxmemory")).containsExactly("maxmemory", "1048576");
            assertThat(connection.ask("CONFIG", "GET", "save")).containsExactly("save", "900 1 60 10000");
        }
    }

    @Test
    void startsWithPassword() throws Exception {
        try (EmbeddedRedis redis =
                EmbeddedRedis.builder().option("requirepass", "secret").start()) {
            assertThat(RawRedis.ask(redis, "PING").get(0)).startsWith("-NOAUTH");
            assertThat(redis.uri()).doesNotContain("secret");
            assertThat(commandLine(redis)).isNotBlank().doesNotContain("secret");
            assertThat(Files.getPosixFilePermissions(redis.directory().resolve("embedded-redis.conf")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void startsWithoutPermissionToPing() throws Exception {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder().option("user", "default", "on", "nopass", "-@all");
        try (EmbeddedRedis redis = builder.start()) {
            assertThat(RawRedis.ask(redis, "PING").get(0)).startsWith("-NOPERM");
        }
    }

    @Test
    void serversAreIndependent() throws Exception {
        List<EmbeddedRedis> all = IntStream.range(0, 8)
                .parallel()
                .mapToObj(each -> EmbeddedRedis.start())
                .toList();
        try {
            Set<Integer> ports = new TreeSet<>();
            for (EmbeddedRedis redis : all) {
                ports.add(redis.port());
                assertThat(RawRedis.ask(redis, "INCR", "visits")).containsExactly("1");
            }
            assertThat(ports).hasSize(all.size());
        } finally {
            all.forEach(EmbeddedRedis::close);
        }
    }

    @Test
    void keepsGivenDirectory(@TempDir Path parent) throws Exception {
        Path directory = parent.resolve("data with spaces");
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .directory(directory)
                .option("appendonly", "yes")
                .start()) {
            assertThat(RawRedis.ask(redis, "SET", "color", "green")).containsExactly("OK");
        }
        assertThat(directory).isNotEmptyDirectory();
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .directory(directory)
                .option("appendonly", "yes")
                .start()) {
            assertThat(RawRedis.ask(redis, "GET", "color")).containsExactly("green");
        }
    }

    /** The directives for developers of Redis make it take about half a second to load. */
    @Test
    void waitsUntilDataIsLoaded(@TempDir Path directory) throws Exception {
        EmbeddedRedisBuilder builder =
                EmbeddedRedis.builder().directory(directory).option("appendonly", "yes");
        try (EmbeddedRedis redis = builder.start()) {
            RawRedis.ask(redis, "EVAL", "for i = 1, 1000 do redis.call('SET', 'key:' .. i, i) end", "0");
        }
        builder.option("key-load-delay", "500").option("loading-process-events-interval-bytes", "1024");
        try (EmbeddedRedis redis = builder.start()) {
            assertThat(RawRedis.ask(redis, "DBSIZE")).containsExactly("1000");
        }
    }

    @Test
    void failedStartQuotesServer() {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder().option("no-such-directive", "at all");
        assertThatThrownBy(builder::start)
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("ended with status 1 instead of starting")
                .hasMessageContaining("Bad directive or wrong number of arguments")
                .hasMessageContaining("no-such-directive \"at all\"");
    }

    @Test
    void silentServerTimesOut(@TempDir Path directory) throws Exception {
        EmbeddedRedisBuilder builder = deaf(directory).startTimeout(Duration.ofSeconds(10));
        assertThatThrownBy(builder::start)
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("did not reply on 127.0.0.1:")
                .hasMessageContaining("within PT10S")
                .hasMessageContaining("my pid is ");
        long pid = Long.parseLong(
                Files.readString(directory.resolve("embedded-redis.log")).replaceAll("\\D", ""));
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    /** A server that never replies; it prints its process id. */
    private static EmbeddedRedisBuilder deaf(Path directory) throws Exception {
        Path deaf = Files.writeString(
                directory.resolve("deaf-server"), "#!/bin/sh\necho my pid is $$\nexec tail -f /dev/null\n");
        Files.setPosixFilePermissions(deaf, PosixFilePermissions.fromString("rwx------"));
        return EmbeddedRedis.builder().executable(deaf).directory(directory);
    }

    @Test
    void interruptEndsWaitAndIsKept(@TempDir Path directory) throws Exception {
        EmbeddedRedisBuilder builder = deaf(directory);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(builder::start)
                    .isInstanceOf(EmbeddedRedisException.class)
                    .hasMessageContaining("interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void closeIsIdempotentAndFinal() {
        EmbeddedRedis redis = EmbeddedRedis.start();
        redis.close();
        redis.close();
        redis.kill();
        assertThatIllegalStateException().isThrownBy(redis::restart).withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(redis::pause).withMessageContaining("is not running");
        assertThatIllegalStateException().isThrownBy(redis::resume).withMessageContaining("is not running");
    }

    private static String setting(EmbeddedRedis redis, String name) throws Exception {
        return RawRedis.ask(redis, "CONFIG", "GET", name).get(1);
    }

    private static String commandLine(EmbeddedRedis redis) {
        return ProcessHandle.of(redis.pid())
                .flatMap(handle -> handle.info().commandLine())
                .orElseThrow();
    }
}
