package io.keyhold.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.console.internal.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who gets in, and what is refused. Speaks HTTP itself, because no client lets a test lie about Host. */
final class ConsoleServerTest {

    private final Fixture console = new Fixture(true);
    private final List<String> urls = new CopyOnWriteArrayList<>();
    private ConsoleServer server = started();

    private ConsoleServer started() {
        try {
            return ConsoleServer.start(console.api(), 0, urls::add);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String cookie = "";

    @BeforeEach
    void signIn() throws IOException {
        Reply reply = call("GET", path(server.url()), host());
        assertThat(reply.status()).isEqualTo(303);
        assertThat(reply.header("Location")).isEqualTo("/");
        String set = reply.header("Set-Cookie");
        assertThat(set).contains("HttpOnly", "SameSite=Strict", "Path=/");
        cookie = "Cookie: " + set.split(";", -1)[0];
    }

    @AfterEach
    void close() {
        server.close();
        console.close();
    }

    /** Which a test cannot listen on everywhere. */
    @Test
    void browserLeavesOutTheDefaultPort() {
        assertThat(ConsoleServer.hosts(80)).containsExactlyInAnyOrder("127.0.0.1", "localhost");
        assertThat(ConsoleServer.hosts(8080)).containsExactlyInAnyOrder("127.0.0.1:8080", "localhost:8080");
    }

    private static String path(String url) {
        return url.substring(url.indexOf('/', "http://".length()));
    }

    private String host() {
        return "Host: 127.0.0.1:" + server.port();
    }

    private String origin() {
        return "Origin: http://127.0.0.1:" + server.port();
    }

    private record Reply(int status, List<String> headers, String body) {

        String header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
                    .map(line -> line.substring(name.length() + 2))
                    .findFirst()
                    .orElse("");
        }
    }

    private Reply call(String method, String path, String... headers) throws IOException {
        return send(
                method + " " + path + " HTTP/1.1\r\nConnection: close\r\n" + String.join("\r\n", headers) + "\r\n\r\n");
    }

    private Reply post(String body, String... headers) throws IOException {
        return send(
                "POST /api/release HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n" + body);
    }

    private Reply send(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = reply.indexOf("\r\n\r\n");
            List<String> head = reply.substring(0, end).lines().toList();
            return new Reply(
                    Integer.parseInt(head.get(0).split(" ", -1)[1]),
                    head.subList(1, head.size()),
                    reply.substring(end + 4));
        }
    }

    @Test
    void everyReplyHasTheSecurityHeaders() throws IOException {
        for (Reply reply : List.of(
                call("GET", "/", host()),
                call("GET", "/api/info", host(), cookie),
                call("GET", "/api/info", host()),
                call("GET", "/", "Host: evil.example"))) {
            assertThat(reply.header("Content-Security-Policy")).startsWith("default-src 'self'");
            assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
            assertThat(reply.header("X-Frame-Options")).isEqualTo("DENY");
            assertThat(reply.header("Referrer-Policy")).isEqualTo("no-referrer");
        }
    }

    @Test
    void withoutCookieNothingIsShown() throws IOException {
        for (String path : List.of("info", "locks", "lock?key=a", "contention", "doctor", "stream", "nothing")) {
            assertThat(call("GET", "/api/" + path, host()).status()).as(path).isEqualTo(401);
        }
        String other = cookie.substring(0, cookie.indexOf('=') + 1) + "AAAA";
        assertThat(call("GET", "/api/info", host(), other).status()).isEqualTo(401);
        assertThat(post("{}", host(), origin()).status()).isEqualTo(401);
        assertThat(call("GET", "/api/info", host(), cookie).status()).isEqualTo(200);
        assertThat(call("GET", "/api/info", "Host: localhost:" + server.port(), cookie)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void foreignHostIsRefused() throws IOException {
        for (String host : List.of(
                "evil.example",
                "evil.example:" + server.port(),
                "127.0.0.1",
                "127.0.0.1:1",
                "localhost.evil.example:" + server.port())) {
            assertThat(call("GET", "/", "Host: " + host).status()).as(host).isEqualTo(403);
            assertThat(call("GET", "/api/locks", "Host: " + host, cookie).status())
                    .as(host)
                    .isEqualTo(403);
            assertThat(call("GET", path(server.url()), "Host: " + host).status())
                    .as(host)
                    .isEqualTo(403);
        }
    }

    @Test
    void foreignOriginIsRefused() throws IOException {
        for (String origin : List.of(
                "http://evil.example",
                "null",
                "https://127.0.0.1:" + server.port(),
                "http://127.0.0.1:1",
                "http://localhost:" + server.port())) {
            assertThat(call("GET", "/api/locks", host(), cookie, "Origin: " + origin)
                            .status())
                    .as(origin)
                    .isEqualTo(403);
            assertThat(post("{}", host(), cookie, "Origin: " + origin).status())
                    .as(origin)
                    .isEqualTo(403);
        }
        assertThat(post("{}", host(), cookie).status()).isEqualTo(403);
        assertThat(post("{}", host(), cookie, origin()).status()).isEqualTo(400);
        assertThat(call("GET", "/api/locks", host(), cookie, origin()).status()).isEqualTo(200);
    }

    @Test
    void urlWorksOnce() throws IOException {
        String url = path(server.url());
        assertThat(urls).containsExactly(server.url());
        assertThat(call("GET", url, host()).status()).isEqualTo(303);
        Reply reused = call("GET", url, host());
        assertThat(reused.status()).isEqualTo(401);
        assertThat(reused.header("Set-Cookie")).isEmpty();
        assertThat(reused.body()).contains("was used already");
        assertThat(call("GET", "/?token=", host()).status()).isEqualTo(401);
        // A browser that is signed in may go back to it.
        assertThat(call("GET", url, host(), cookie).status()).isEqualTo(303);
        assertThat(server.url()).doesNotContain(url);
    }

    @Test
    void releaseOverHttp() throws IOException, InterruptedException {
        Lease lease = console.client("stuck").lock("job").acquire();
        String body = JsonText.of(Map.of("key", "job", "token", lease.token(), "typedKey", "job", "reason", "test"));
        Reply reply = post(body, host(), origin(), cookie);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).contains("\"released\":true");
        assertThat(console.audit()).hasSize(1);
    }

    private Socket stream() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream()
                .write(("GET /api/stream HTTP/1.1\r\n" + host() + "\r\n" + cookie + "\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    @Test
    void streamSendsTicksAndEndsWithBye() throws Exception {
        try (Socket socket = stream()) {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            awaitLine(lines, "Content-type: text/event-stream");
            awaitLine(lines, "event: tick");
            awaitLine(lines, "data: {\"version\":");
            console.api().close();
            awaitLine(lines, "event: bye");
        }
    }

    @Test
    void closedPageIsForgotten() throws Exception {
        Socket socket = stream();
        Until.matches(() -> console.api().pages(), pages -> pages == 1);
        socket.close();
        Until.matches(() -> console.api().pages(), pages -> pages == 0);
    }

    private static void awaitLine(BufferedReader lines, String beginning) throws IOException {
        String line;
        do {
            line = lines.readLine();
            assertThat(line).as("a line with " + beginning).isNotNull();
        } while (!line.startsWith(beginning));
    }

    @Test
    void strangeRequestsAreRefused() throws IOException {
        assertThat(call("GET", "/..%2fmodule-info.class", host()).status()).isEqualTo(404);
        assertThat(call("DELETE", "/api/locks", host(), cookie).status()).isEqualTo(405);
        assertThat(call("GET", "/api/lock?key=%zz", host(), cookie).status()).isEqualTo(400);
        assertThat(post("x".repeat(20_000), host(), origin(), cookie).status()).isEqualTo(400);
    }
}
