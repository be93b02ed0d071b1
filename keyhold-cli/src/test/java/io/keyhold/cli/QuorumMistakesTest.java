package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a quorum cannot do is wrong use, and one sentence. */
@EndToEnd
final class QuorumMistakesTest {

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
                "run x --of 3 -- true               | a quorum has no semaphores: ",
                "acquire x --shared                 | a quorum has no read/write locks, ",
                "run x --exclusive -- true          | a quorum has no read/write locks, ",
                "run x --fair strict -- true        | --fair strict is not supported on a quorum: ",
                "run x --lease 5m -- true           | a lease on a quorum must be at most --longest-lease, which is 60 s, and is 300 s",
                "renew x --token t --lease 5m       | a lease on a quorum must be at most --longest-lease, which is 60 s, and is 300 s"
            })
    void oneSentence(String line, String said) {
        Launcher.Result result =
                Launcher.in(home).on(FIRST.uri() + "," + SECOND.uri()).run(line.split(" ", -1));
        assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.USAGE);
        assertThat(result.error().lines()).singleElement().asString().startsWith("keyhold: " + said);
    }
}
