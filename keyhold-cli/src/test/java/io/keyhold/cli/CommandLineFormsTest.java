package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms of a call, and the environments in which it must work or fail with one line. */
@EndToEnd
@Tag("full")
final class CommandLineFormsTest {

    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();

    @TempDir
    private Path home = Path.of("");

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"$KEYHOLD\" run x --no-wait printf '%s,' -l --wait        | 0 | -l,--wait,",
                "\"$KEYHOLD\" run --lease 40s x echo a                      | 0 | a",
                "\"$KEYHOLD\" run x y -- sh -c 'echo $KEYHOLD_KEY'          | 0 | x y",
                "\"$KEYHOLD\" run x -c 'echo $KEYHOLD_KEY; exit 3'          | 3 | x",
                "\"$KEYHOLD\" run -c 'echo $KEYHOLD_KEY' x y               | 0 | x y",
                "\"$KEYHOLD\" run x sh -c 'echo $KEYHOLD_KEY'              | 0 | x",
                "SHELL=/bin/echo \"$KEYHOLD\" run x -c 'a  b'               | 0 | -c a  b",
                "\"$KEYHOLD\" --redis \"$KEYHOLD_REDIS\" run x echo a       | 0 | a",
                "\"$KEYHOLD\" --lease 40s --label run run x echo a         | 0 | a",
                "\"$KEYHOLD\" -c 'echo a' run x                           | 64 | ''",
                "\"$KEYHOLD\" -v --redis=\"$KEYHOLD_REDIS\" show x          | 1 | key       x",
                "\"$KEYHOLD\" run --label --wait x -- echo a              | 64 | ''",
                "\"$KEYHOLD\" --lease 40s run x echo --wait -- y           | 64 | ''",
                "\"$KEYHOLD\" acquire --json --redis \"$KEYHOLD_REDIS\" x   | 0 | {",
                "\"$KEYHOLD\" run x sh -c 'echo $#' sh $(seq 50000)       | 0 | 50000",
                "TMPDIR=/nonexistent \"$KEYHOLD\" run x echo a              | 0 | a"
            })
    void forms(String script, int exitCode, String output) {
        Launcher.Result result = Launcher.in(home).on(SERVER.uri()).bash(script);
        assertThat(result.exitCode()).as(result.error()).isEqualTo(exitCode);
        assertThat(result.output().strip()).startsWith(output);
    }

    @ParameterizedTest
    @CsvSource({"-v 300000, 2000000", "-n 63, 64", "-n 12, 64"})
    void limitThatIsTooSmall(String limit, int minimum) {
        assertThat(Launcher.in(home).on(SERVER.uri()).bash("ulimit " + limit + "; \"$KEYHOLD\" run x -- echo a"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.SYSTEM,
                        "",
                        "keyhold: ulimit " + limit + " is too small for Java: it must be at least " + minimum + "\n"));
    }

    /** A limit of the file size stands for a full disk; Java ignores its signal. */
    @Test
    void diskWithoutSpaceForThePrivateServer() {
        Launcher.Result result = Launcher.in(home)
                .bash("trap '' XFSZ; (ulimit -f 0; \"$KEYHOLD\" run x --local -- echo a) 2>&1 | cat;"
                        + " exit ${PIPESTATUS[0]}");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.output().lines())
                .singleElement()
                .asString()
                .startsWith("keyhold: ")
                .doesNotContain("bug");
    }

    @Test
    void relativeLink() throws IOException {
        Map<String, String> variables = Launcher.in(home).variables();
        Path jar = Files.createDirectories(home.resolve("app/lib/keyhold")).resolve("keyhold.jar");
        Files.createSymbolicLink(jar, Path.of(variables.get("KEYHOLD_JAR")));
        Path bin = Files.createDirectories(home.resolve("app/bin"));
        Files.copy(Path.of(variables.get("KEYHOLD")), bin.resolve("keyhold"));
        Files.createDirectories(home.resolve("a/b"));
        Files.createSymbolicLink(home.resolve("a/keyhold"), Path.of("../app/bin/keyhold"));
        Files.createSymbolicLink(home.resolve("a/b/keyhold"), Path.of("../keyhold"));
        Launcher.Result result = Launcher.in(home)
                .bash("unset KEYHOLD_JAR; cd '" + home
                        + "/a/b'; bash keyhold --version; cd ..; bash b/keyhold --version;" + " ./keyhold --version");
        assertThat(result.error()).isEmpty();
        assertThat(result.output().lines()).hasSize(3).allMatch(line -> line.startsWith("keyhold "));
    }

    /** A source tree never builds without a terminal. */
    @Test
    void sourceTree() throws IOException {
        Launcher keyhold = Launcher.in(home);
        Path tree = Files.createDirectories(home.resolve("tree"));
        Path script = Files.copy(Path.of(keyhold.variables().get("KEYHOLD")), tree.resolve("keyhold"));
        Path source = Files.writeString(tree.resolve("pom.xml"), "");
        Path jar = tree.resolve("keyhold-cli/target/dist/lib/keyhold/keyhold.jar");
        Path built = tree.resolve("keyhold-cli/target/dist/bin/keyhold");
        String call = "unset KEYHOLD_JAR; bash '" + script + "' --version";

        Launcher.Result result = keyhold.bash(call);
        assertThat(result.exitCode()).isEqualTo(ExitCode.SYSTEM);
        assertThat(result.error())
                .isEqualTo("keyhold: the command is not built; build it with: mvn -f " + tree
                        + "/pom.xml -pl keyhold-cli -am -DskipTests package\n");

        Files.createDirectories(jar.getParent());
        Files.copy(Path.of(keyhold.variables().get("KEYHOLD_JAR")), jar);
        Files.createDirectories(built.getParent());
        Files.copy(script, built);
        Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
        Files.setLastModifiedTime(script, FileTime.from(Instant.EPOCH));
        assertThat(keyhold.bash(call).error()).isEmpty();

        Files.setLastModifiedTime(built, FileTime.from(Instant.EPOCH.plusSeconds(60)));
        Files.setLastModifiedTime(source, FileTime.from(Instant.now()));
        result = keyhold.bash(call);
        assertThat(result.output()).startsWith("keyhold ");
        assertThat(result.error().lines())
                .singleElement()
                .asString()
                .startsWith("keyhold: the sources are newer than the command, which runs as it was built");
    }

    @Test
    @Tag("full")
    void leaderThatLosesItsLeadershipIsElectedAgain() {
        Launcher.Call call = Launcher.in(home)
                .on(SERVER.uri())
                .start(
                        "elect",
                        "boss",
                        "--lease",
                        "18s",
                        "--kill-grace",
                        "100ms",
                        "--",
                        "bash",
                        "-c",
                        "cd \"$KEYHOLD_HOME\"; echo run >>runs; echo up;"
                                + " [ $(wc -l <runs) -lt 2 ] || exit 5; sleep 1000");
        Await.until(() -> call.outputSoFar().contains("up"));
        try (Redis console = new Redis(SERVER.uri())) {
            console.call("DEL", "boss");
        }
        Launcher.Result result = call.result();
        assertThat(result.exitCode()).as(result.error()).isEqualTo(5);
        assertThat(result.output()).isEqualTo("up\nup\n");
        assertThat(result.error().lines()).singleElement().asString().startsWith("keyhold: lost the lock on boss");
    }

    /** The outage is longer than the lease, so the leadership is lost while no server can be asked again. */
    @Test
    @Tag("full")
    void leaderThatAnOutageHasEndedIsElectedAgain() throws IOException {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Call call = Launcher.in(home)
                    .on(server.uri())
                    .start(
                            "elect",
                            "boss",
                            "--lease",
                            "3s",
                            "--",
                            "bash",
                            "-c",
                            "echo \"up ${KEYHOLD_ELECT_AGAIN-}\"; until [ -e \"$KEYHOLD_HOME/go\" ]; do sleep 0.05; done; exit 5");
            Await.until(() -> call.outputSoFar().contains("up"));
            server.kill();
            Await.until(() -> call.errorSoFar().contains("the election of boss waits for the server"));
            Files.createFile(home.resolve("go"));
            server.restart();
            Launcher.Result result = call.result();
            assertThat(result.exitCode()).as(result.error()).isEqualTo(5);
            assertThat(result.output().lines()).hasSizeGreaterThan(1).containsOnly("up ");
        }
    }

    /** Refused for longer than its lease, by a server that it has reached. */
    @Test
    @Tag("full")
    void candidateWaitsWhileServerRefuses() throws IOException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Redis console = new Redis(server.uri())) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            String token =
                    keyhold.run("acquire", "boss", "--lease", "10m").output().strip();
            Launcher.Call candidate = keyhold.start("elect", "boss", "--lease", "1s", "--", "echo", "up");
            Await.until(() -> console.call("LLEN", "{boss}:kh:queue").equals(1L));
            console.call("REPLICAOF", "127.0.0.1", "1");
            console.call("CLIENT", "KILL", "TYPE", "pubsub"); // It asks again at once.
            Await.until(() -> candidate.errorSoFar().contains("the election of boss waits for the server"));
            console.call("REPLICAOF", "NO", "ONE");
            assertThat(keyhold.run("release", "boss", "--token", token).exitCode())
                    .isZero();
            Launcher.Result result = candidate.result();
            assertThat(result.exitCode()).as(result.error()).isZero();
            // After a loss, as when the machine stands still for so short a lease, it is elected again.
            long losses = result.error()
                    .lines()
                    .filter(line -> line.startsWith("keyhold: lost the lock on boss"))
                    .count();
            assertThat(result.output().lines()).containsOnly("up").hasSizeBetween(1, 1 + (int) losses);
        }
    }

    @Test
    @Tag("full")
    void candidateNeedsNoPermissionToInspect() throws IOException {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Redis console = new Redis(server.uri())) {
            console.call("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-multi", "-getrange");
            Launcher keyhold = Launcher.in(home).on("redis://app:pw@127.0.0.1:" + server.port());
            assertThat(keyhold.run("elect", "boss", "--", "echo", "up")).isEqualTo(new Launcher.Result(0, "up\n", ""));
        }
    }

    @Test
    void candidateWithWrongAddressFailsAtOnce() {
        Launcher.Result result = Launcher.in(home).on("redis://127.0.0.1:1").run("elect", "boss", "--", "echo", "up");
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.output()).isEmpty();
        assertThat(result.error().lines()).hasSize(1);
    }

    @Test
    @Tag("full")
    void waiterRidesOutARestart() {
        try (EmbeddedRedis server = EmbeddedRedis.builder()
                .option("appendonly", "yes")
                .option("appendfsync", "no")
                .start()) {
            Launcher keyhold = Launcher.in(home).on(server.uri());
            String token =
                    keyhold.run("acquire", "x", "--lease", "10m").output().strip();
            Launcher.Call waiter = keyhold.start("run", "x", "--wait", "10m", "--", "echo", "inside");
            try (Redis console = new Redis(server.uri())) {
                Await.until(() -> console.call("LLEN", "{x}:kh:queue").equals(1L));
            }
            server.restart();
            assertThat(keyhold.run("release", "x", "--token", token).exitCode()).isZero();
            assertThat(waiter.result()).isEqualTo(new Launcher.Result(0, "inside\n", ""));
        }
    }
}
