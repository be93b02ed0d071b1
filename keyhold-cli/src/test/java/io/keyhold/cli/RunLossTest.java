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

    /** As long as a process may stand still on a busy machine. */
    private static final Duration HICCUP = Duration.ofSeconds(4);

    /** With this grace a renewal, which comes after a third of the lease, may be late by more than that. */
    private static final List<String> TIMES = List.of("--lease", "10s", "--kill-grace", "100ms");

    /** A command that were told to end only when its lease does would outlive it by this, which is longer than a hiccup. */
    private static final List<String> LONG_GRACE = List.of("--lease", "15s", "--kill-grace", "5s");

    private static final String UNTIL_GO = "echo up; while [ ! -e \"$KEYHOLD_HOME/go\" ]; do sleep 0.02; done; exit 5";

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

    /** Runs it under the lock. */
    private Launcher.Call start(List<String> options, String... command) {
        List<String> arguments = new ArrayList<>(List.of("run", "x"));
        arguments.addAll(options);
        arguments.add("--");
        arguments.addAll(List.of(command));
        return keyhold.start(arguments.toArray(new String[0]));
    }

    private Launcher.Call stubborn(List<String> options) {
        Launcher.Call call = start(options, "bash", "-c", STUBBORN, clock().toString());
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
        Launcher.Call call = stubborn(LONG_GRACE);
        long leaseEnds;
        try (Redis console = new Redis(server.uri())) {
            console.ask("CLIENT", "PAUSE", "600000", "WRITE"); // No more renewals, so that what follows stays true.
            leaseEnds = (Long) console.ask("PTTL", "x") + System.currentTimeMillis();
        }
        server.pause();

        Launcher.Result result = call.result();

        assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.LOST);
        assertAllEnded(call);
        long lastWords = Long.parseLong(Files.readString(clock()).strip()) / 1_000_000;
        assertThat(lastWords - leaseEnds)
                .as("how long it went on after its lease, in milliseconds")
                .isLessThan(HICCUP.toMillis());
    }

    @Test
    void deletedKeyEndsItAtTheNextRenewal() {
        Launcher.Call call = stubborn(TIMES);
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
        List<String> options = new ArrayList<>(TIMES);
        options.addAll(List.of("--on-lost", "warn"));
        Launcher.Call call = start(options, "sh", "-c", UNTIL_GO);
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
        Launcher.Call call = stubborn(TIMES);
        Signals.send("KILL", call.process().pid());
        assertAllEnded(call);
        assertThat(keyhold.run("run", "x", "--", "true").exitCode()).isZero();
    }

    @Test
    void keeperThatIsKilledTakesTheCommandWithIt() {
        Launcher.Call call = stubborn(TIMES);
        Signals.send("KILL", keeper());
        assertThat(call.result().exitCode()).isEqualTo(ExitCode.LOST);
        assertAllEnded(call);
    }

    @Test
    void keeperThatIsStoppedInItsTracksTakesTheCommandWithIt() {
        Launcher.Call call = stubborn(TIMES);
        long keeper = keeper();
        Signals.send("STOP", keeper);
        assertThat(call.result().exitCode()).isEqualTo(ExitCode.LOST);
        assertAllEnded(call);
        Await.end(keeper);
    }

    @Test
    void noSignalMakesTheKeeperReleaseTheLockUnderTheCommand() throws IOException {
        Launcher.Call call = start(TIMES, "sh", "-c", UNTIL_GO);
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
