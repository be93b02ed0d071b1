package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** acquire, renew and release: a lock that is held across several calls. */
@EndToEnd
final class TokenCommandTest {

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

    @Test
    void lockAcrossCalls() {
        String token = keyhold.run("acquire", "x", "--lease", "1m").output().strip();
        try (Redis console = new Redis(server.uri())) {
            assertThat(console.ask("GET", "x")).isEqualTo(token);
            assertThat(keyhold.run("renew", "x", "--token", token, "--lease", "1h")
                            .exitCode())
                    .isZero();
            assertThat((Long) console.ask("PTTL", "x")).isGreaterThan(600_000);
        }
        assertThat(keyhold.run("release", "x", "--token", "another").exitCode()).isEqualTo(ExitCode.LOST);
        assertThat(keyhold.run("release", "x", "--token", token).exitCode()).isZero();
        assertThat(keyhold.run("renew", "x", "--token", token).exitCode()).isEqualTo(ExitCode.LOST);
    }

    @Test
    void everyKindOfLock() {
        assertThat(keyhold.bash("""
                        set -e
                        for what in "a b" "gpu --of 3 --permits 2" "book --shared" "book2 --exclusive"; do
                          token=$("$KEYHOLD" acquire $what)
                          keys=${what%%--*}
                          "$KEYHOLD" renew $keys --token "$token"
                          "$KEYHOLD" release $keys --token "$token"
                        done
                        """)).isEqualTo(new Launcher.Result(0, "", ""));
    }

    @Test
    void forceAsksFirst() {
        assertThat(keyhold.run("acquire", "x", "--json").output())
                .matches("\\{\"key\":\"x\",\"token\":\"[^\"]+\",\"fence\":[0-9]+,\"leaseMillis\":30000}\n");
        Launcher.Result unasked = keyhold.run("release", "x", "--force");
        assertThat(unasked.exitCode()).isEqualTo(ExitCode.NO);
        assertThat(unasked.error()).contains("held by keyhold@").contains("[y/N]");
        assertThat(keyhold.bash("echo y | \"$KEYHOLD\" release x --force").exitCode())
                .isZero();
        assertThat(keyhold.run("release", "x", "--force", "--yes").exitCode())
                .as("nobody holds it now")
                .isEqualTo(ExitCode.LOST);
        assertThat(keyhold.run("release", "x").exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
