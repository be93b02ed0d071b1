package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** acquire, renew and release: a hold across several calls. */
@EndToEnd
final class TokenCommandTest {

    /** Compared as a whole, so that a failure shows the output. */
    private static final Launcher.Result DONE = new Launcher.Result(0, "", "");

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

    @Test
    void lockAcrossCalls() {
        String token = keyhold.run("acquire", "x", "--lease", "1m").output().strip();
        try (Redis console = new Redis(server.uri())) {
            assertThat((String) console.call("GET", "x")).startsWith(token + " ");
            assertThat(keyhold.run("renew", "x", "--token", token, "--lease", "1h")
                            .exitCode())
                    .isZero();
            assertThat((Long) console.call("PTTL", "x")).isGreaterThan(600_000);
        }
        assertThat(keyhold.run("release", "x", "--token", "another").exitCode()).isEqualTo(ExitCode.LOST);
        assertThat(keyhold.run("release", "x", "--token", token).exitCode()).isZero();
        assertThat(keyhold.run("renew", "x", "--token", token).exitCode()).isEqualTo(ExitCode.LOST);
    }

    @Test
    @Tag("full")
    void everyKindOfLock() {
        assertThat(keyhold.bash("""
                        set -e
                        for what in "a b" "gpu --of 3 --permits 2" "book --shared" "book2 --exclusive"; do
                          token=$("$KEYHOLD" acquire $what)
                          keys=${what%%--*}
                          "$KEYHOLD" renew $keys --token "$token"
                          "$KEYHOLD" release $keys --token "$token"
                        done
                        """)).isEqualTo(DONE);
    }

    @Test
    @Tag("full")
    void onAQuorum() {
        try (EmbeddedRedis second = EmbeddedRedis.start();
                EmbeddedRedis third = EmbeddedRedis.start()) {
            keyhold.on(server.uri() + "," + second.uri() + "," + third.uri());
            String token = keyhold.run("acquire", "x", "--admit-fresh-nodes", "--lease", "1m")
                    .output()
                    .strip();
            // Two nodes were enough, and the process may have ended before the third was admitted.
            while (!keyhold.run("show", "x").output().contains("3 of 3 nodes can vote")) {
                keyhold.run("run", "another", "--admit-fresh-nodes", "--", "true");
            }
            assertThat(keyhold.run("acquire", "x", "--no-wait", "--lease", "1m").exitCode())
                    .isEqualTo(ExitCode.BUSY);
            assertThat(keyhold.run("renew", "x", "--token", token, "--lease", "1m")
                            .exitCode())
                    .isZero();
            second.kill();
            assertThat(keyhold.run("show", "x").output()).contains(token);
            assertThat(keyhold.run("release", "x", "--token", token)).isEqualTo(DONE);
            // A longer lease, because the nodes have a tenth of it to reply.
            assertThat(keyhold.run("run", "x", "--no-wait", "--lease", "1m", "--", "true"))
                    .isEqualTo(DONE);
            assertThat(keyhold.run("acquire", "y", "--lease", "5m", "--longest-lease", "5m")
                            .exitCode())
                    .isZero();
        }
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"--admit-fresh-nodes", "--longest-lease=5m"})
    void quorumOptionNeedsAQuorum(String option) {
        assertThat(keyhold.run("acquire", "x", option))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE,
                        "",
                        "keyhold: " + option.replaceAll("=.*", "")
                                + " applies only to a quorum: name several servers\n"));
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"INT", "TERM", "HUP", "QUIT"})
    void signalWithdrawsTheWaiter(String signal) {
        try (Redis console = new Redis(server.uri())) {
            String token = keyhold.run("acquire", "x", "--lease", "1h").output().strip();
            Launcher.Call waiter = keyhold.start("acquire", "x");
            Await.until(() -> console.call("LLEN", "{x}:kh:queue").equals(1L));
            console.call("PERSIST", "{x}:kh:queue"); // Without an expiry, only a withdrawal empties it.

            Signals.send(signal, waiter.process().pid());

            Launcher.Result result = waiter.result();
            assertThat(result.exitCode()).isGreaterThan(Signals.EXIT_CODE_BASE);
            assertThat(result.output() + result.error()).isEmpty();
            Await.until(() -> console.call("LLEN", "{x}:kh:queue").equals(0L));
            assertThat(keyhold.run("release", "x", "--token", token).exitCode()).isZero();
        }
    }

    @Test
    void jsonNamesEveryKey() {
        assertThat(keyhold.run("acquire", "a b", "c", "--json").output())
                .matches("\\{\"keys\":\\[\"a b\",\"c\"],\"token\":\"[^\"]+\",\"fencingToken\":[0-9]+,"
                        + "\"leaseMillis\":30000}\n");
    }

    /** A key may contain escape sequences. */
    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"run K --no-wait -- true", "release K --force", "renew K --token t", "acquire x --lease K"})
    void keysAreEscaped(String line) {
        String key = "\u001b[31mred\u202e";
        keyhold.run("acquire", key, "--lease", "1h");
        assertThat(keyhold.run(line.replace("K", key).split(" ", -1)).error())
                .contains("'\\u001b[31mred\\u202e'")
                .doesNotContain("\u001b", "\u202e");
    }

    @Test
    void forceAsksForConfirmation() {
        keyhold.run("acquire", "x", "--lease", "1h");
        Launcher.Result refused = keyhold.run("release", "x", "--force");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.NO);
        assertThat(refused.error()).contains("held by keyhold@").contains("[y/N]");
        assertThat(keyhold.bash("echo y | \"$KEYHOLD\" release x --force").exitCode())
                .isZero();
        assertThat(keyhold.run("release", "x").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    @Tag("full")
    void forceOnAFreeLockDoesNotAsk() {
        Launcher.Result free = new Launcher.Result(ExitCode.LOST, "", "keyhold: 'x' is not held\n");
        assertThat(keyhold.run("release", "x", "--force")).isEqualTo(free);
        assertThat(keyhold.run("release", "x", "--force", "--yes")).isEqualTo(free);
    }

    @Test
    @Tag("full")
    void forceWithATokenSparesOtherHolders() {
        String token = keyhold.run("acquire", "x", "--lease", "1h").output().strip();
        Launcher.Result another = keyhold.run("release", "x", "--force", "--yes", "--token", "another");
        assertThat(another)
                .isEqualTo(new Launcher.Result(ExitCode.LOST, "", "keyhold: that token does not hold 'x' any more\n"));
        assertThat(keyhold.run("show", "x").exitCode()).isZero();
        assertThat(keyhold.run("release", "x", "--force", "--yes", "--token", token)
                        .exitCode())
                .isZero();
        assertThat(keyhold.run("show", "x").exitCode()).isEqualTo(ExitCode.NO);
    }

    @Test
    @Tag("full")
    void forceNamesOnlyHeldKeys() {
        String token = keyhold.run("acquire", "x", "--lease", "1h").output().strip();
        assertThat(keyhold.run("release", "free", "x", "--force").error())
                .startsWith("'x' is held by " + token + "; the holder");
        assertThat(keyhold.run("release", "free", "x", "--force", "--yes").exitCode())
                .isZero();
        assertThat(keyhold.run("show", "x").exitCode()).isEqualTo(ExitCode.NO);
    }

    /** The next holder may come while the user reads the question. */
    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {"", "--exclusive", "--of=1"})
    void forceSparesTheHolderAfterTheShownOne(String kind) {
        assertThat(keyhold.bash("""
                        cd "$KEYHOLD_HOME" && mkfifo answer && exec 3<>answer
                        shown=$("$KEYHOLD" acquire x KIND --lease 1h)
                        "$KEYHOLD" release x --force <answer 2>question 3<&- &
                        until grep -q 'y/N' question; do sleep 0.05; done
                        "$KEYHOLD" release x --token "$shown"
                        next=$("$KEYHOLD" acquire x KIND --lease 1h)
                        echo y >&3
                        wait $!; echo "code $?"
                        "$KEYHOLD" renew x --token "$next" && echo "still held"
                        """.replace("KIND", kind)).output()).isEqualTo("code 203\nstill held\n");
    }

    @Test
    @Tag("full")
    void forceReleasesEveryShownHolder() throws InterruptedException {
        keyhold.run("acquire", "x", "--of", "3", "--lease", "1h");
        keyhold.run("acquire", "x", "--of", "3", "--lease", "1h");
        try (Keyhold client = Keyhold.connect(LongTimeouts.of(server.uri()))) {
            client.semaphore("x", 3).with(options -> options.noExpiry()).acquire();
            assertThat(keyhold.run("release", "x", "--force", "--yes")).isEqualTo(DONE);
            assertThat(client.semaphore("x", 3).availablePermits()).isEqualTo(3);
        }
    }
}
