package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of another kind, or with another program's data, are refused and not changed. */
@Tag("full")
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
            console.call("HSET", "hash", "name", "value");
            console.call("RPUSH", "list", "value");
            console.call("SADD", "set", "value");
            console.call("ZADD", "sorted", "1", "value");
            console.call("SET", "config", "{\"colour\":\"\u001b[31mred\"}");
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
    void connect() {
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
    void keyOfAnotherKindIsRefused(String line, String message) {
        assertThat(keyhold.run(line.split(" ", -1)))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE, "", "keyhold: cannot acquire " + message + "; choose another key\n"));
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
    void foreignDataIsRefused(String key, String line) {
        try (Redis console = new Redis(SERVER.uri())) {
            Object before = console.call("DUMP", key);
            Launcher.Result result = keyhold.run(line.split(" ", -1));
            assertThat(result.exitCode()).as(result.error()).isEqualTo(ExitCode.USAGE);
            assertThat(result.output()).isEmpty();
            assertThat(result.error()).startsWith("keyhold: cannot ").contains("'" + key + "': " + FOREIGN);
            assertThat(console.call("DUMP", key)).isEqualTo(before);
            assertThat(console.call("EXISTS", "lock"))
                    .as("the other key stays locked")
                    .isEqualTo(1L);
        }
    }

    @Test
    void foreignStringIsShownAsHolder() {
        Launcher.Result result = keyhold.run("release", "free", "config", "--force");
        assertThat(result.exitCode()).isEqualTo(ExitCode.NO);
        assertThat(result.error())
                .startsWith("'config' is held by another program:" + " {\"colour\":\"\\u001b[31mred\"}; the holder");
        assertThat(keyhold.run("run", "config", "--no-wait", "--", "true"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.BUSY,
                        "",
                        "keyhold: busy: 'config' is held by another program:" + " {\"colour\":\"\\u001b[31mred\"}\n"));
    }
}
