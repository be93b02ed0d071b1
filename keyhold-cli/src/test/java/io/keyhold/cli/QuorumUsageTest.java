package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operations that a quorum does not support are wrong use, reported in one line. */
@EndToEnd
@Tag("full")
final class QuorumUsageTest {

    private static final EmbeddedRedis FIRST = EmbeddedRedis.start();
    private static final EmbeddedRedis SECOND = EmbeddedRedis.start();

    @TempDir
    private Path home = Path.of("");

    @AfterAll
    static void stop() {
        FIRST.close();
        SECOND.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run x --of 3 -- true               | semaphores are not supported on a quorum: ",
                "acquire x --shared                 | read/write locks are not supported on a quorum, ",
                "run x --exclusive -- true          | read/write locks are not supported on a quorum, ",
                "run x --fair strict -- true        | fairness STRICT is not supported on a quorum: ",
                "run x --lease 5m -- true           | lease must be at most longestLease (60 s) on a quorum, was 300 s",
                "renew x --token t --lease 5m       | lease must be at most longestLease (60 s) on a quorum, was 300 s"
            })
    void unsupportedOnAQuorum(String line, String message) {
        Launcher.Result result =
                Launcher.in(home).on(FIRST.uri() + "," + SECOND.uri()).run(line.split(" ", -1));
        assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.USAGE);
        assertThat(result.error().lines()).singleElement().asString().startsWith("keyhold: " + message);
    }
}
