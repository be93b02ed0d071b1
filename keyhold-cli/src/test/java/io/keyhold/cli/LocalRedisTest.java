package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedRedisBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The private Redis server: started on first use, shared by all calls, stopped when idle. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class LocalRedisTest {

    private static final String UNTIL_GO = "echo up; while [ ! -e \"$KEYHOLD_HOME/go\" ]; do sleep 0.05; done";

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void connect() {
        keyhold = Launcher.in(home);
    }

    @AfterEach
    void stop() {
        keyhold.run("embedded", "stop");
    }

    @Test
    @Tag("full")
    void concurrentFirstCallsStartOneServer() throws IOException {
        Launcher.Result result = keyhold.bash("for i in {1..20}; do \"$KEYHOLD\" run x -- echo inside & done; wait");

        assertThat(result.output().lines()).hasSize(20).allMatch("inside"::equals);
        assertThat(result.error().lines().filter(line -> !line.startsWith("keyhold: no server is named")))
                .as("printed once")
                .singleElement()
                .asString()
                .startsWith("keyhold: started a private Redis server on 127.0.0.1:")
                .contains("keyhold embedded stop");
        Launcher.Result status = keyhold.run("embedded", "status");
        assertThat(status.exitCode()).isZero();
        assertThat(status.output()).startsWith("running on 127.0.0.1:").contains("files in " + server());
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(server().resolve("embedded-redis.conf"))))
                .as("permissions of the password file")
                .isEqualTo("rw-------");
        assertThat(new LocalRedisFiles(server()).address().orElseThrow().port())
                .as("a port that is not assigned to outgoing connections")
                .isBetween(20_000, 32_767);
    }

    @Test
    void callWithoutLockKeepsServer() {
        Launcher.Call watching = keyhold.start("ls", "--local", "--watch");
        Await.until(() -> !watching.outputSoFar().isEmpty());
        assertThat(keyhold.run("embedded", "stop", "--if-idle").exitCode()).isEqualTo(ExitCode.NO);
        assertThat(keyhold.run("embedded", "status").exitCode()).isZero();

        watching.process().destroy();
        watching.result();
        assertThat(keyhold.run("embedded", "stop", "--if-idle").exitCode()).isZero();
    }

    @Test
    @Tag("full")
    void restartKeepsHeldLocks() {
        String token = keyhold.run("acquire", "x", "--lease", "10m").output().strip();
        assertThat(keyhold.run("embedded", "stop").output()).isEqualTo("stopped\n");
        assertThat(keyhold.run("embedded", "status").exitCode()).isEqualTo(ExitCode.NO);
        assertThat(keyhold.run("embedded", "stop").output()).isEqualTo("was not running\n");

        assertThat(keyhold.run("run", "x", "--no-wait", "--", "true").exitCode())
                .isEqualTo(ExitCode.BUSY);
        assertThat(keyhold.run("release", "x", "--token", token).exitCode()).isZero();
    }

    @Test
    void crashedServerIsRestarted() throws IOException {
        keyhold.run("run", "x", "--", "true");
        Signals.send("KILL", pid());
        Await.end(pid());
        Files.writeString(
                server().resolve("embedded-redis.pid"), ProcessHandle.current().pid() + "\n");

        Launcher.Result result = keyhold.run("run", "x", "--", "echo", "inside");
        assertThat(result.output()).isEqualTo("inside\n");
        assertThat(result.error()).startsWith("keyhold: started");
    }

    @Test
    void everyCallSaysThatLocksAreLocal() {
        assertThat(keyhold.run("run", "x", "--local", "--", "echo", "inside"))
                .as("the call that starts the server")
                .isEqualTo(new Launcher.Result(0, "inside\n", ""));
        Launcher.Result result = keyhold.run("run", "x", "--", "echo", "inside");
        assertThat(result.output()).isEqualTo("inside\n");
        assertThat(result.error())
                .isEqualTo(
                        "keyhold: no server is named, so locks hold on this machine and for this user only; name one for all"
                                + " machines with --redis or KEYHOLD_REDIS, or say --local\n");
        assertThat(keyhold.run("run", "x", "--local", "--", "echo", "inside"))
                .isEqualTo(new Launcher.Result(0, "inside\n", ""));
    }

    @Test
    void emptyVariableIsRefused() {
        assertThat(keyhold.with("KEYHOLD_REDIS", "").run("ls").exitCode()).isEqualTo(ExitCode.USAGE);
        Launcher.Result result = keyhold.with("KEYHOLD_REDIS", " ").run("run", "x", "--", "echo", "inside");
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.output()).isEmpty();
        assertThat(result.error()).startsWith("keyhold: KEYHOLD_REDIS must be a URI, was ' '");
        assertThat(keyhold.run("run", "x", "--local", "--", "echo", "inside").output())
                .isEqualTo("inside\n");
    }

    @Test
    @Tag("full")
    void waiterRidesOutEmbeddedStop() throws IOException {
        String token = keyhold.run("acquire", "x", "--local", "--lease", "10m")
                .output()
                .strip();
        Launcher.Call waiter = keyhold.start("run", "x", "--local", "--", "echo", "inside");
        try (Redis console = new Redis(uri())) {
            Await.until(() -> console.call("LLEN", "{x}:kh:queue").equals(1L));
        }
        assertThat(keyhold.run("embedded", "stop").output()).isEqualTo("stopped\n");
        Await.until(() -> keyhold.run("embedded", "status").exitCode() == 0);
        assertThat(keyhold.run("release", "x", "--local", "--token", token).exitCode())
                .isZero();
        Launcher.Result result = waiter.result();
        assertThat(result.exitCode()).as(result.error()).isZero();
        assertThat(result.output()).isEqualTo("inside\n");
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"a crash", "embedded stop"})
    void commandKeepsItsLockAcrossARestart(String end) throws IOException {
        keyhold.run("ls");
        // With a short grace almost the whole lease is left for the restart.
        Launcher.Call call = keyhold.start(
                "run",
                "x",
                "--local",
                "--lease",
                "30s",
                "--kill-grace",
                "100ms",
                "--",
                "sh",
                "-c",
                UNTIL_GO + "; exit 5");
        Await.until(() -> call.outputSoFar().contains("up"));
        if (end.equals("embedded stop")) {
            assertThat(keyhold.run("embedded", "stop").output()).isEqualTo("stopped\n");
        } else {
            Signals.send("KILL", pid());
            Await.end(pid());
        }

        assertThat(keyhold.run("ls").error()).startsWith("keyhold: started");

        try (Redis console = new Redis(uri())) {
            long left = (Long) console.call("PTTL", "x");
            Await.until(() ->
                    (Long) console.call("PTTL", "x") > left || !call.process().isAlive());
        }
        Files.createFile(home.resolve("go"));
        assertThat(call.result()).isEqualTo(new Launcher.Result(5, "up\n", ""));
    }

    @Test
    @Tag("full")
    void portOfAnotherProcess() throws IOException {
        Files.createDirectories(server());
        try (ServerSocket foreign = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            replyTo(foreign, "-ERR who are you?\r\n");
            Files.writeString(
                    server().resolve("embedded-redis.conf"),
                    "port " + foreign.getLocalPort() + "\nrequirepass secret\n");
            assertThat(keyhold.run("run", "x", "--", "echo", "inside").output()).isEqualTo("inside\n");
            assertThat(uri())
                    .as("neither the port of the other process nor the password that was sent to it")
                    .doesNotContain(":" + foreign.getLocalPort(), "secret");
        }
    }

    /** Sends this to every client. */
    private static void replyTo(ServerSocket clients, String text) {
        Thread replying = new Thread(() -> {
            try {
                while (true) {
                    clients.accept().getOutputStream().write(text.getBytes(UTF_8));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        replying.setDaemon(true);
        replying.start();
    }

    /** It still knows the holders, so that no second server may take its place. */
    @Test
    @Tag("full")
    void stoppedServerIsNotReplaced() throws IOException {
        // As on Debian, where redis-server is a link to a program of another name.
        Path program = Files.copy(EmbeddedRedis.findExecutable().toRealPath(), home.resolve("program"));
        keyhold.with("KEYHOLD_REDIS_SERVER", program.toString());
        keyhold.run("ls");
        long pid = pid();
        Signals.send("STOP", pid);
        try {
            Launcher.Result result = keyhold.run("ls");
            assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(result.error()).contains("the private Redis server: ", "it is stopped or busy");
        } finally {
            Signals.send("CONT", pid);
        }
        assertThat(keyhold.run("embedded", "status").output()).contains("process " + pid);
    }

    /** It still serves the others. */
    @Test
    @Tag("full")
    void serverWithTooManyClientsIsNotReplaced() throws IOException {
        keyhold.run("ls");
        long pid = pid();
        try (Redis console = new Redis(uri())) {
            console.call("CONFIG", "SET", "maxclients", "1");
            try {
                Launcher.Result result = keyhold.run("ls");
                assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.UNREACHABLE);
                assertThat(result.error()).contains("it is stopped or busy");
            } finally {
                console.call("CONFIG", "SET", "maxclients", "1000");
            }
        }
        assertThat(keyhold.run("embedded", "status").output()).contains("process " + pid);
    }

    /** It replies to PING with an error then. */
    @Test
    @Tag("full")
    void serverWithAFullDiskRuns() throws IOException {
        keyhold.run("ls");
        try (Redis console = new Redis(uri())) {
            Files.createDirectory(server().resolve("dump.rdb")); // No file can take its place.
            console.call("CONFIG", "SET", "save", "3600 1");
            console.call("BGSAVE");
            Await.until(() -> console.call("INFO", "persistence").toString().contains("rdb_last_bgsave_status:err"));
        }
        Launcher.Result refused = keyhold.run("run", "x", "--local", "--", "echo", "never");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(refused.error()).contains("MISCONF");
        assertThat(keyhold.run("embedded", "status").output()).startsWith("running on 127.0.0.1:");
        assertThat(keyhold.run("embedded", "stop").output()).isEqualTo("stopped\n");
    }

    /** After a restart of the machine the recorded process id may belong to any process, and the port to another server. */
    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"its own password", "no password", "no Redis"})
    void portOfAnotherServerAndReusedProcessId(String kind) throws IOException {
        Files.createDirectories(server());
        Files.writeString(
                server().resolve("embedded-redis.pid"), ProcessHandle.current().pid() + "\n");
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder();
        if (kind.equals("its own password")) {
            builder.option("requirepass", "another");
        }
        try (EmbeddedRedis redis = builder.start();
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            replyTo(other, "SSH-2.0-OpenSSH\r\n");
            int port = kind.equals("no Redis") ? other.getLocalPort() : redis.port();
            Files.writeString(server().resolve("embedded-redis.conf"), "port " + port + "\nrequirepass secret\n");
            assertThat(keyhold.run("run", "x", "--", "echo", "inside").output()).isEqualTo("inside\n");
            assertThat(uri()).doesNotContain(":" + port, "secret");
        }
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"port x\nrequire", "port 0\nrequirepass secret\n", "port 65536\nrequirepass secret\n"})
    void damagedConfigurationIsReplaced(String text) throws IOException {
        Files.createDirectories(server());
        Files.writeString(server().resolve("embedded-redis.conf"), text);
        assertThat(keyhold.run("run", "x", "--", "echo", "inside").output()).isEqualTo("inside\n");
    }

    @Test
    @Tag("full")
    void stopsWhenIdleAndNotBefore() throws IOException {
        keyhold.with("KEYHOLD_EMBEDDED_IDLE", "2s");
        Launcher.Call busy = keyhold.start("run", "x", "--", "sh", "-c", UNTIL_GO);
        Await.until(() -> busy.outputSoFar().contains("up"));
        assertThat(busy.errorSoFar()).contains("it stops when idle for 2s, or with 'keyhold embedded stop'");
        long pid = pid();
        // The idle watch has waited its two seconds, and found that a call is running.
        Path used = server().resolve("in-use.lock");
        long first = Files.getLastModifiedTime(used).toMillis();
        Await.until(() -> modified(used) > first);
        assertThat(Await.isAlive(pid)).isTrue();

        Files.createFile(home.resolve("go"));
        assertThat(busy.result().exitCode()).isZero();
        Await.end(pid);
        Await.until(() -> !Files.exists(server().resolve("embedded-redis.conf"))); // It contains the password.
    }

    /** A server without an idle watch would run for ever. */
    @Test
    void wrongIdleTimeStartsNoServer() {
        keyhold.with("KEYHOLD_EMBEDDED_IDLE", "5");
        Launcher.Result result = keyhold.run("run", "x", "--local", "--", "true");
        assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.USAGE);
        assertThat(result.error()).startsWith("keyhold: KEYHOLD_EMBEDDED_IDLE: a duration must be");
        assertThat(keyhold.run("embedded", "status").exitCode()).isEqualTo(ExitCode.NO);
    }

    /** Stopping a service must end it, although the lease holder that started it ignores these signals. */
    @Test
    @EnabledOnOs(OS.LINUX) // Needs GNU env.
    void idleWatchEndsOnTermAndInt() throws IOException {
        keyhold.run("run", "x", "--", "true");
        Await.until(() -> watch() > 0);
        long watch = watch();
        long ignored = ignored(watch);
        assertThat(ignored & 1 << 14).as("TERM").isZero();
        assertThat(ignored & 1 << 1).as("INT").isZero();
        assertThat(ignored & 1).as("HUP").isNotZero();
        Signals.send("TERM", watch);
        Await.end(watch);
    }

    /** The process id of the idle watch; 0 before it has started. */
    private long watch() {
        try (Stream<Path> files = Files.list(server())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("in-use.seen."))
                    .mapToLong(name -> Long.parseLong(name.substring("in-use.seen.".length())))
                    .findAny()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ignored(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("SigIgn:")) {
                return Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16);
            }
        }
        throw new IllegalStateException("no SigIgn");
    }

    @Test
    void filesAreInTheCacheDirectory() {
        keyhold.with("KEYHOLD_HOME", "").with("XDG_CACHE_HOME", "relative").with("HOME", home.toString());
        assertThat(keyhold.run("embedded", "status").output())
                .isEqualTo("not running; files in " + home.resolve(".cache/keyhold/server") + "\n");
        keyhold.with("XDG_CACHE_HOME", home.resolve("caches").toString());
        assertThat(keyhold.run("embedded", "status").output())
                .isEqualTo("not running; files in " + home.resolve("caches/keyhold/server") + "\n");
    }

    @Test
    @Tag("full")
    void userWithoutHomeDirectory() {
        keyhold.with("KEYHOLD_HOME", "").with("XDG_CACHE_HOME", "").with("HOME", "");
        keyhold.with("JDK_JAVA_OPTIONS", "-Duser.home=?"); // As Java sets it for a user that the system does not know.
        Launcher.Result result = keyhold.run("run", "x", "--", "echo", "inside");
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.output()).isEmpty();
        assertThat(result.error()).contains("set HOME or XDG_CACHE_HOME to an absolute path, or KEYHOLD_HOME");
    }

    private long pid() throws IOException {
        return Long.parseLong(
                Files.readString(server().resolve("embedded-redis.pid")).strip());
    }

    private String uri() throws IOException {
        LocalRedisFiles.Address address =
                new LocalRedisFiles(server()).address().orElseThrow();
        return "redis://:" + address.password() + "@127.0.0.1:" + address.port();
    }

    private static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path server() {
        return home.resolve("server");
    }
}
