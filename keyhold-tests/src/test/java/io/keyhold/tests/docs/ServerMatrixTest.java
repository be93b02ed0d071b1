package io.keyhold.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arguments of {@code server-matrix}; running it takes an hour. */
class ServerMatrixTest {

    private static final Path ROOT = Path.of(System.getProperty("keyhold.root", ""));

    @Test
    void everyServerIsDocumentedWithVersion() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/servers.md"));
        Result list = run("--list");
        assertThat(list.exitCode()).isZero();
        assertThat(list.output().lines())
                .hasSize(7)
                .allSatisfy(name -> assertThat(page).containsPattern("\\| " + name + " \\| [0-9.]+ \\|"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--only redis-5.0 | unknown server 'redis-5.0'; --list prints the names",
                "--only           | --only needs the name of a server",
                "--test           | --test needs the names of test classes",
                "redis-7.0        | unknown argument 'redis-7.0'; --help prints the usage"
            })
    void badArgumentIsNamed(String arguments, String message) throws Exception {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(new Result(64, "server-matrix: " + message + "\n"));
    }

    private record Result(int exitCode, String output) {}

    private static Result run(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", ROOT.resolve("server-matrix").toString()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
