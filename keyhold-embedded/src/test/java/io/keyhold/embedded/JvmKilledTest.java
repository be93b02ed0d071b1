package io.keyhold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server does not outlive the JVM that started it, however that one ends. */
class JvmKilledTest {
    @TempDir
    private Path temporary;

    @RepeatedTest(3)
    void killedJvmEndsItsServer() throws Exception {
        Process jvm = startJvm();
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
            int port = Integer.parseInt(output.readLine());
            try (RawRedis connection = new RawRedis(port)) {
                assertThat(connection.ask("PING")).containsExactly("PONG");
                assertThat(ReservedPort.reserve(port)).isEmpty();
                jvm.destroyForcibly();
                connection.awaitEnd();
            }
            assertThat(jvm.waitFor()).isEqualTo(128 + 9);
            assertThat(ReservedPort.reserve(port)).hasValueSatisfying(ReservedPort::close);
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

    @ParameterizedTest
    @CsvSource({"replicas, 3", "sentinel, 6", "cluster, 6"})
    @Tag("full")
    void killedJvmEndsItsTopology(String topology, int size) throws Exception {
        Process jvm = startJvm(StartTopologyAndWait.class, topology);
        List<RawRedis> connections = new ArrayList<>();
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
            for (String port : output.readLine().split(" ", -1)) {
                connections.add(new RawRedis(Integer.parseInt(port)));
            }
            assertThat(connections).hasSize(size);
            jvm.destroyForcibly();
            for (RawRedis connection : connections) {
                connection.awaitEnd();
            }
        } finally {
            jvm.destroyForcibly();
            for (RawRedis connection : connections) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"replicas", "sentinel", "cluster"})
    @Tag("full")
    void endingJvmRemovesTopologyAndDirectories(String topology) throws Exception {
        Process jvm = startJvm(StartTopologyAndWait.class, topology);
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
            String[] ports = output.readLine().split(" ", -1);
            String[] directories = output.readLine().split(" ", -1);
            assertThat(directories)
                    .hasSameSizeAs(ports)
                    .allSatisfy(each -> assertThat(Path.of(each)).isDirectory().hasParent(temporary));
            jvm.getOutputStream().close();
            assertThat(jvm.waitFor()).isEqualTo(0);
            assertThat(directories).allSatisfy(each -> assertThat(Path.of(each)).doesNotExist());
            assertThat(ports)
                    .allSatisfy(each ->
                            assertThat(Ports.isFree(Integer.parseInt(each))).isTrue());
        } finally {
            jvm.destroyForcibly();
        }
    }

    private Process startJvm(String... arguments) throws Exception {
        return startJvm(StartServerAndWait.class, arguments);
    }

    private Process startJvm(Class<?> program, String... arguments) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder = new ProcessBuilder(
                        java.toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.command().addAll(List.of(arguments));
        return builder.start();
    }
}
