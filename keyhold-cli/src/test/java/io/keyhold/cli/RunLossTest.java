package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every loss of the lock stops the command and all processes that it started. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class RunLossTest {

    /** Ignores TERM, and starts a process that ignores it too and writes the time repeatedly. */
    private static final String STUBBORN =
            "trap '' TERM; (while :; do date +%s%N >\"$0.new\"; mv \"$0.new\" \"$0\"; sleep 0.02; done) & echo $! $$; wait";

    /** How long a process may pause on a busy machine. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** With this grace a renewal may be late by more than such a pause. */
    private static final List<String> TIMES = List.of("--lease", "18s", "--kill-grace", "100ms");

    /** A command that got TERM only at the end of its lease would outlive it by this grace, which is longer than such a pause. */
    private static final List<String> LONG_GRACE = List.of("--lease", "36s", "--kill-grace", "12s");

    private static final String UNTIL_GO = "echo up; while [ ! -e \"$KEYHOLD_HOME/go\" ]; do sleep 0.02; done; exit 5";

    @TempDir
    private Path home = Path.of("");

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void connect() {
        keyhold = Launcher.in(home).on(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Runs the command under the lock. */
    private Launcher.Call start(List<String> options, String... command) {
        List<String> arguments = new ArrayList<>(List.of("run", "x"));
        arguments.addAll(options);
        arguments.add("--");
        arguments.addAll(List.of(command));
        return keyhold.start(arguments.toArray(new String[0]));
    }

    private Launcher.Call stubborn(List<String> options) {
        Launcher.Call call = start(options, "bash", "-c", STUBBORN, clock().toString());
        Await.until(() -> (call.outputSoFar().contains(" ") && Files.exists(clock()))
                || !call.process().isAlive());
        assertThat(call.process().isAlive()).as(call.errorSoFar()).isTrue();
        return call;
    }

    private Path clock() {
        return home.resolve("clock");
    }

    private void assertAllEnded(Launcher.Call call) {
        for (String pid : call.outputSoFar().strip().split(" ", -1)) {
            Await.end(Long.parseLong(pid));
        }
    }

    @Test
    @Tag("full")
    void silentServerStopsCommandBeforeLeaseEnds() throws IOException {
        Launcher.Call call = stubborn(LONG_GRACE);
        long leaseEnds;
        try (Redis console = new Redis(server.uri())) {
            console.call("CLIENT", "PAUSE", "600000", "WRITE"); // No more renewals, so the lease end is fixed.
            leaseEnds = (Long) console.call("PTTL", "x") + System.currentTimeMillis();
        }
        server.pause();

        Launcher.Result result = call.result();

        assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.LOST);
        assertThat(result.error()).isEqualTo("keyhold: the lock on x could not be renewed in time\n");
        assertAllEnded(call);
        long lastWrite = Long.parseLong(Files.readString(clock()).strip()) / 1_000_000;
        assertThat(lastWrite - leaseEnds)
                .as("milliseconds after the end of the lease")
                .isLessThan(PAUSE.toMillis());
    }

    @Test
    void deletedKeyStopsCommandAtNextRenewal() {
        Launcher.Call call = stubborn(TIMES);
        try (Redis console = new Redis(server.uri())) {
            console.call("DEL", "x");
        }
        Launcher.Result result = call.result();
        assertThat(result.exitCode()).isEqualTo(ExitCode.LOST);
        assertThat(result.error().lines()).singleElement().asString().startsWith("keyhold: lost the lock on x");
        assertAllEnded(call);
    }

    @Test
    @Tag("full")
    void onLostWarnKeepsTheCommand() throws IOException {
        List<String> options = new ArrayList<>(TIMES);
        options.addAll(List.of("--on-lost", "warn"));
        Launcher.Call call = start(options, "sh", "-c", UNTIL_GO);
        Await.until(() -> call.outputSoFar().contains("up"));
        try (Redis console = new Redis(server.uri())) {
            console.call("DEL", "x");
        }
        Await.until(() -> call.errorSoFar().contains("lost the lock on x"));
        Files.createFile(home.resolve("go"));
        Launcher.Result result = call.result();
        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.error().lines()).as("printed once").hasSize(1);
    }

    @Test
    void killedLauncherStopsCommandAndReleases() {
        Launcher.Call call = stubborn(TIMES);
        Signals.send("KILL", call.process().pid());
        assertAllEnded(call);
        assertThat(keyhold.run("run", "x", "--", "true").exitCode()).isZero();
    }

    @Test
    void killedLeaseHolderStopsCommand() {
        Launcher.Call call = stubborn(TIMES);
        Signals.send("KILL", leaseHolder());
        Launcher.Result result = call.result();
        assertThat(result.exitCode()).isEqualTo(ExitCode.LOST);
        assertThat(result.error())
                .isEqualTo("keyhold: the lease holder of x (Java) was killed, so the lock cannot be renewed\n");
        assertAllEnded(call);
    }

    /** Its reader may be a pager that waits for a key. */
    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"launcher", "holder"})
    void fullStandardErrorDoesNotDelayTheStop(String killed) {
        Launcher.Result result = keyhold.bash("""
                cd "$KEYHOLD_HOME"
                mkfifo full
                exec 3<>full
                dd if=/dev/zero of=full bs=4096 oflag=nonblock 2>/dev/null
                "$KEYHOLD" run x --lease 60s --kill-grace 100ms -- sh -c \
                  'echo "$$:$KEYHOLD_TOKEN" >new; mv new who; exec sleep 1000' 2>&3 &
                launcher=$!
                until [ -e who ]; do sleep 0.05; done
                IFS=: read -r command label holder rest <who
                kill -KILL $%s
                while kill -0 $command 2>/dev/null; do sleep 0.05; done
                cat <&3 >all &
                wait $launcher
                echo $?
                kill %%2
                """.formatted(killed));
        assertThat(result.output()).isEqualTo((killed.equals("holder") ? "203" : "137") + "\n");
    }

    @Test
    @Tag("full")
    void stoppedLeaseHolderStopsCommand() {
        Launcher.Call call = stubborn(TIMES);
        long holder = leaseHolder();
        Signals.send("STOP", holder);
        assertThat(call.result().exitCode()).isEqualTo(ExitCode.LOST);
        assertAllEnded(call);
        Await.end(holder);
    }

    /** The process id that {@code keyhold ls} shows is the lease holder's. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void signalToTheShownProcessEndsTheCommandFirst(String signal) {
        String command = "trap 'keyhold=$(\"$KEYHOLD\" show x >/dev/null && echo held); echo $keyhold; exit 5' TERM;"
                + " echo up; while :; do sleep 0.02; done";
        Launcher.Call call = start(List.of("--lease", "60s"), "bash", "-c", command);
        Await.until(() -> call.outputSoFar().contains("up"));
        Signals.send(signal, leaseHolder());
        Launcher.Result result = call.result();
        assertThat(result.exitCode()).as(result.error()).isEqualTo(5);
        assertThat(result.output()).isEqualTo("up\nheld\n");
        assertThat(keyhold.run("show", "x").exitCode()).as("released").isEqualTo(ExitCode.NO);
    }

    @Test
    @Tag("full")
    void stoppedLauncherStopsCommand() {
        Launcher.Call call = stubborn(TIMES);
        Signals.send("STOP", call.process().pid());
        try (Redis console = new Redis(server.uri())) {
            console.call("DEL", "x");
        }
        assertAllEnded(call);
        Signals.send("CONT", call.process().pid());
        assertThat(call.result().exitCode()).isEqualTo(ExitCode.LOST);
    }

    /** Only the launcher can warn that a renewal is late, and only if it runs. */
    @Test
    @Tag("full")
    void outageWhileLauncherIsStoppedIsReported() {
        Launcher.Call call = stubborn(TIMES);
        server.pause();
        Signals.send("STOP", call.process().pid());
        assertAllEnded(call);
        Await.until(() -> call.errorSoFar().contains("lost the lock on x"));
        Signals.send("CONT", call.process().pid());
        assertThat(call.result().exitCode()).isEqualTo(ExitCode.LOST);
    }

    /** The lease holder's process id, from the token name@host:pid:random. */
    private long leaseHolder() {
        try (Redis console = new Redis(server.uri())) {
            return Long.parseLong(console.call("GET", "x").toString().split(":", -1)[1]);
        }
    }
}
