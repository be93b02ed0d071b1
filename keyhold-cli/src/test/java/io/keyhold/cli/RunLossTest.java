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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whatever ends the hold ends the command, and all that it has started. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class RunLossTest {

    /** Ignores TERM, as does the process that it starts, which writes the time again and again. */
    private static final String STUBBORN =
            "trap '' TERM; (while :; do date +%s%N >\"$0.new\"; mv \"$0.new\" \"$0\"; sleep 0.02; done) & echo $! $$; wait";

    /** A renewal may be late by more than a second, as it is now and then on a busy machine. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir
    private Path home = Path.of("");

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private Launcher keyhold = Launcher.in(home);

    @BeforeEach
    void onTheServer() {
        keyhold = Launcher.in(home).on(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Launcher.Call stubborn(String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", "x", "--lease", Durations.text(LEASE)));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--", "bash", "-c", STUBBORN, clock().toString()));
        Launcher.Call call = keyhold.start(arguments.toArray(new String[0]));
        Await.until(() -> call.outputSoFar().contains(" ") && Files.exists(clock()));
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
    void serverThatStopsAnsweringEndsItBeforeTheLeaseEnds() throws IOException {
        Launcher.Call call = stubborn();
        server.pause();
        long noRenewalAfter = System.currentTimeMillis();

        Launcher.Result result = call.result();

        assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.LOST);
        assertAllEnded(call);
        long lastWords = Long.parseLong(Files.readString(clock()).strip()) / 1_000_000;
        assertThat(lastWords - noRenewalAfter)
                .as("how long it went on, in milliseconds")
                .isLessThan(LEASE.toMillis());
    }

    @Test
    void deletedKeyEndsItAtTheNextRenewal() {
        Launcher.Call call = stubborn();
        try (Redis console = new Redis(server.uri())) {
            console.ask("DEL", "x");
        }
        Launcher.Result result = call.result();
        assertThat(result.exitCode()).isEqualTo(ExitCode.LOST);
        assertThat(result.error().lines()).singleElement().asString().startsWith("keyhold: lost the lock on x");
        assertAllEnded(call);
    }

    @Test
    void warningOnlyIfAskedFor() throws IOException {
        Launcher.Call call = keyhold.start(
                "run",
                "x",
                "--lease",
                Durations.text(LEASE),
                "--on-lost",
                "warn",
                "--",
                "sh",
                "-c",
                "echo up; while [ ! -e \"$KEYHOLD_HOME/go\" ]; do sleep 0.02; done; exit 5");
        Await.until(() -> call.outputSoFar().contains("up"));
        try (Redis console = new Redis(server.uri())) {
            console.ask("DEL", "x");
        }
        Await.until(() -> call.errorSoFar().contains("lost the lock on x"));
        Files.createFile(home.resolve("go"));
        Launcher.Result result = call.result();
        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.error().lines()).as("said once").hasSize(1);
    }

    @Test
    void launcherThatIsKilledTakesTheCommandWithItAndTheLockIsFree() {
        Launcher.Call call = stubborn("--kill-grace", "100ms");
        Signals.send("KILL", call.process().pid());
        assertAllEnded(call);
        assertThat(keyhold.run("run", "x", "--", "true").exitCode()).isZero();
    }

    @Test
    void keeperThatIsKilledTakesTheCommandWithIt() {
        Launcher.Call call = stubborn("--kill-grace", "100ms");
        Signals.send("KILL", keeper());
        assertThat(call.result().exitCode()).isEqualTo(ExitCode.LOST);
        assertAllEnded(call);
    }

    @Test
    void keeperThatIsStoppedInItsTracksTakesTheCommandWithIt() {
        Launcher.Call call = stubborn();
        long keeper = keeper();
        Signals.send("STOP", keeper);
        assertThat(call.result().exitCode()).isEqualTo(ExitCode.LOST);
        assertAllEnded(call);
        Await.end(keeper);
    }

    @Test
    void noSignalMakesTheKeeperReleaseTheLockUnderTheCommand() throws IOException {
        Launcher.Call call = keyhold.start(
                "run",
                "x",
                "--lease",
                "3s",
                "--",
                "sh",
                "-c",
                "echo up; while [ ! -e \"$KEYHOLD_HOME/go\" ]; do sleep 0.02; done; exit 5");
        Await.until(() -> call.outputSoFar().contains("up"));
        for (String signal : List.of("TERM", "INT", "HUP")) {
            Signals.send(signal, keeper());
        }
        try (Redis console = new Redis(server.uri())) {
            long left = (Long) console.ask("PTTL", "x");
            Await.until(() -> (Long) console.ask("PTTL", "x") > left); // Renewed, so the keeper is well.
        }
        Files.createFile(home.resolve("go"));
        assertThat(call.result()).isEqualTo(new Launcher.Result(5, "up\n", ""));
    }

    /** The process that holds the lock, by what it wrote into the lock: name@host:pid:random. */
    private long keeper() {
        try (Redis console = new Redis(server.uri())) {
            return Long.parseLong(console.ask("GET", "x").toString().split(":", -1)[1]);
        }
    }
}
