package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong value of an option is reported with the rule and the value, in the words of the library. */
@EndToEnd
@Tag("full")
final class OptionValuesTest {

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
                "run x --wait 9999999999d -- true | maxWait must be from 0 ms to 365 days, was 9999999999 days; leave it"
                        + " unset to wait indefinitely",
                "run x --lease 9999999d -- true   | lease must be from 10 ms to 31 days, was 9999999 days",
                "acquire x --lease 1ms            | lease must be from 10 ms to 31 days, was 1 ms",
                "renew x --token t --lease 1ms    | lease must be from 10 ms to 31 days, was 1 ms",
                "run x --of 0 -- true             | permits must be from 1 to 1000000000, was 0",
                "run x --of 3 --permits 4 -- true | permits must be from 1 to the semaphore's 3, was 4",
                "acquire x --label a+b            | client name must be 1 to 64 letters, digits, '.', '_' or '-', was 'a+b'",
            })
    void wrongValueIsRefused(String line, String message) {
        assertThat(Launcher.in(home).on(SERVER.uri()).run(line.split(" ", -1)))
                .satisfies(result -> assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE))
                .satisfies(result -> assertThat(result.error().lines())
                        .singleElement()
                        .asString()
                        .startsWith("keyhold: " + message));
    }

    @Test
    void repeatedServerIsRefused() {
        String address = SERVER.host() + ":" + SERVER.port();
        assertThat(Launcher.in(home).run("acquire", "x", "--redis", SERVER.uri(), "--redis", SERVER.uri()))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE,
                        "",
                        "keyhold: drivers of a quorum must be at least 1, and all different, were [" + address + ", "
                                + address + "]\n"));
    }

    @Test
    void freshQuorumIsQuarantined() {
        try (EmbeddedRedis second = EmbeddedRedis.start()) {
            Launcher keyhold = Launcher.in(home).on(SERVER.uri() + "," + second.uri());
            Launcher.Result refused = keyhold.run("acquire", "x", "--no-wait");
            assertThat(refused.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(refused.error()).contains("(set admitFreshNodes(true) only if this server is new)");
            assertThat(keyhold.run("doctor").output().replaceAll("\\s+", " "))
                    .contains("after --longest-lease (default 1m); use --admit-fresh-nodes only if it is new.");
        }
    }
}
