package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that serves the console; {@code keyhold-console} tests the console itself. */
@EndToEnd
final class ConsoleCommandTest {

    @TempDir
    private Path home = Path.of("");

    @Test
    void servesThePageUntilItIsStopped() throws IOException, InterruptedException {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            Launcher.Call call = Launcher.in(home).on(server.uri()).start("console");
            try {
                Await.until(() ->
                        call.outputSoFar().endsWith("\n") || !call.process().isAlive());
                URI url = URI.create(call.outputSoFar().strip());
                HttpClient browser = HttpClient.newBuilder()
                        .cookieHandler(new CookieManager())
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build();
                assertThat(get(browser, url)).contains("Keyhold console");
                assertThat(get(browser, url.resolve("/api/info")))
                        .contains("\"target\":\"127.0.0.1:" + server.port() + "\"", "\"allowRelease\":false");
                Await.until(() -> call.errorSoFar().contains("In another browser: http://127.0.0.1:" + url.getPort()));
                Signals.send("TERM", call.process().pid());
                assertThat(call.result().exitCode()).isEqualTo(143);
            } finally {
                call.process().destroyForcibly();
            }
        }
    }

    private static String get(HttpClient browser, URI uri) throws IOException, InterruptedException {
        return browser.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void badOptionsAreNamed() {
        Launcher keyhold = Launcher.in(home).on("redis://127.0.0.1:1");
        Launcher.Result port = keyhold.run("console", "--port", "70000");
        assertThat(port.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(port.error()).contains("--port must be from 0 to 65535, was 70000");
        Launcher.Result events = keyhold.run("console", "--events", "redis-cluster://a:1,b:2");
        assertThat(events.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(events.error()).contains("--events: ");
    }
}
