package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A private Redis server that takes long to stop. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
final class SlowShutdownTest {

    /** Longer than the timeout of other commands. */
    private static final Duration LONG = Duration.ofMillis(5_500);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void waitsForTheEndAndDeletesTheAddress() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> serve(server));
            serving.setDaemon(true);
            serving.start();
            LocalRedisFiles files = new LocalRedisFiles(folder);
            Files.writeString(files.configuration(), "port " + server.getLocalPort() + "\nrequirepass secret\n");
            assertThat(new LocalRedis(files).stopIfUnused(uri -> false)).isTrue();
            assertThat(files.configuration()).doesNotExist();
        }
    }

    private static void serve(ServerSocket server) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    reply(client);
                }
            }
        } catch (IOException | InterruptedException closed) {
            // The test is over.
        }
    }

    private static void reply(Socket client) throws IOException, InterruptedException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            switch (line.split(" ", -1)[0]) {
                case "AUTH" -> client.getOutputStream().write("+OK\r\n".getBytes(UTF_8));
                case "PING" -> client.getOutputStream().write("+PONG\r\n".getBytes(UTF_8));
                default -> {
                    Thread.sleep(LONG.toMillis());
                    return;
                }
            }
        }
    }
}
