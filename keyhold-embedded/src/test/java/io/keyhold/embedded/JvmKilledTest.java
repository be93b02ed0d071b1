package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server does not outlive the JVM that started it, however that one ends. */
class JvmKilledTest {
    @TempDir
    private Path temporary;

    @RepeatedTest(3)
    void killedJvmEndsItsServer() throws Exception {
        Process jvm = startJvm();
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8);
                RawRedis connection = new RawRedis(Integer.parseInt(output.readLine()))) {
            assertThat(connection.ask("PING")).containsExactly("PONG");
            jvm.destroyForcibly();
            connection.awaitEnd();
            assertThat(jvm.waitFor()).isEqualTo(128 + 9);
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void killedJvmEndsPausedServer() throws Exception {
        Process jvm = startJvm("paused");
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8);
                RawRedis connection = new RawRedis(Integer.parseInt(output.readLine()))) {
            jvm.destroyForcibly();
            connection.awaitEnd();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void endingJvmRemovesServerAndDirectory() throws Exception {
        Process jvm = startJvm();
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8);
                RawRedis connection = new RawRedis(Integer.parseInt(output.readLine()))) {
            Path directory = Path.of(output.readLine());
            assertThat(directory).isDirectory().hasParent(temporary);
            jvm.getOutputStream().close();
            connection.awaitEnd();
            assertThat(jvm.waitFor()).isEqualTo(0);
            assertThat(directory).doesNotExist();
        } finally {
            jvm.destroyForcibly();
        }
    }

    private Process startJvm(String... arguments) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder = new ProcessBuilder(
                        java.toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartServerAndWait.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.command().addAll(List.of(arguments));
        return builder.start();
    }
}
