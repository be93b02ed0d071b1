package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys under which there is something else than what is asked for: it is said so, and left as it is. */
@EndToEnd
final class WrongKindTest {

    private static final String FOREIGN = "another program keeps data under this key, of type ";
    private static final EmbeddedRedis SERVER = EmbeddedRedis.start();

    @TempDir
    private Path home = Path.of("");

    private Launcher keyhold = Launcher.in(home);

    @BeforeAll
    static void fill(@TempDir Path home) {
        try (Redis console = new Redis(SERVER.uri())) {
            console.ask("HSET", "hash", "name", "value");
            console.ask("RPUSH", "list", "value");
            console.ask("SADD", "set", "value");
            console.ask("ZADD", "sorted", "1", "value");
            console.ask("SET", "config", "{\"colour\":\"\u001b[31mred\"}");
        }
        assertThat(Launcher.in(home).on(SERVER.uri()).bash("""
                        set -e
                        "$KEYHOLD" acquire lock --lease 1h
                        "$KEYHOLD" acquire sem --of 3 --lease 1h
                        "$KEYHOLD" acquire book --shared --lease 1h
                        """).exitCode()).isZero();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void onTheServer() {
        keyhold = Launcher.in(home).on(SERVER.uri());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run lock --of 3 --no-wait -- true    | semaphore 'lock': the key is in use as a lock",
                "run lock --shared -- true            | read lock 'lock': the key is in use as a lock",
                "run lock --exclusive -- true         | write lock 'lock': the key is in use as a lock",
                "run sem -- true      | lock 'sem': the key is in use as a semaphore",
                "acquire free sem     | lock 'sem': the key is in use as a semaphore",
                "acquire sem --shared | read lock 'sem': the key is in use as a semaphore",
                "acquire book         | lock 'book': the key is in use as a read/write lock",
                "acquire book --of 2  | semaphore 'book': the key is in use as a read/write lock"
            })
    void lockOfAnotherKind(String line, String said) {
        assertThat(keyhold.run(line.split(" ", -1)))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE, "", "keyhold: cannot acquire " + said + "; choose another key\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "hash, run hash --no-wait -- true",
        "list, run list --of 2 -- true",
        "set, acquire set --shared",
        "config, run config --of 2 -- true",
        "sorted, acquire free sorted",
        "hash, show hash",
        "hash, release hash --token t",
        "list, renew list --token t",
        "hash, release hash --force",
        "list, release lock list --force --yes",
        "sorted, release sorted --force --yes"
    })
    void dataOfAnotherProgram(String key, String line) {
        try (Redis console = new Redis(SERVER.uri())) {
            Object before = console.ask("DUMP", key);
            Launcher.Result result = keyhold.run(line.split(" ", -1));
            assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.USAGE);
            assertThat(result.output()).isEmpty();
            assertThat(result.error()).startsWith("keyhold: cannot ").contains("'" + key + "': " + FOREIGN);
            assertThat(console.ask("DUMP", key)).isEqualTo(before);
            assertThat(console.ask("EXISTS", "lock"))
                    .as("nothing else is released")
                    .isEqualTo(1L);
        }
    }

    @Test
    void textOfAnotherProgramIsCalledForeign() {
        Launcher.Result result = keyhold.run("release", "free", "config", "--force");
        assertThat(result.exitCode()).isEqualTo(ExitCode.NO);
        assertThat(result.error())
                .startsWith("'config' is held by somebody who does not use Keyhold:"
                        + " {\"colour\":\"\\u001b[31mred\"}; its holder");
        assertThat(keyhold.run("run", "config", "--no-wait", "--", "true"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.BUSY,
                        "",
                        "keyhold: busy: 'config' is held by somebody who does not use Keyhold:"
                                + " {\"colour\":\"\\u001b[31mred\"}\n"));
    }
}
