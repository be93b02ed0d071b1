package io.keyhold.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Serves the console on a port of the loopback interface. A browser gets in with {@link #url()}, which works once and is exchanged for a
 * cookie; requests with another {@code Host} or {@code Origin} are refused, so that no page of another site can use the console.
 */
public final class ConsoleServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.keyhold.console");
    private static final long GOODBYE_SECONDS = 2;
    private static final int WORKERS = 8;
    private static final int WAITING_REQUESTS = 256;
    private static final int DEFAULT_PORT = 80;
    private static final int LONGEST_BODY = 16 * 1024;
    private static final String TEXT = "text/html; charset=utf-8";

    private final ConsoleApi api;
    private final HttpServer http;
    private final PageAccess access;
    private final Set<String> hosts;
    private final ThreadPoolExecutor threads;
    private final Consumer<String> onSignIn;
    /** One permit for each page that may be connected. */
    private final Semaphore streams = new Semaphore(Ticks.MOST_PAGES);

    private ConsoleServer(ConsoleApi api, int port, Consumer<String> onSignIn) throws IOException {
        this.api = api;
        this.onSignIn = onSignIn;
        this.http =
                HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 0);
        int bound = http.getAddress().getPort();
        this.access = new PageAccess(bound);
        this.hosts = hosts(bound);
        AtomicInteger count = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                WORKERS + Ticks.MOST_PAGES,
                WORKERS + Ticks.MOST_PAGES,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_REQUESTS),
                task -> {
                    Thread thread = new Thread(task, "keyhold-console-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        http.setExecutor(threads);
        http.createContext("/", this::serve);
        http.start();
    }

    /**
     * Starts a server. The console is not closed with it.
     *
     * @param api what it serves
     * @param port the port; 0 for any that is free
     * @param onSignIn gets the next URL each time that one was used
     * @throws IOException if the port is taken
     */
    public static ConsoleServer start(ConsoleApi api, int port, Consumer<String> onSignIn) throws IOException {
        return new ConsoleServer(api, port, onSignIn);
    }

    /** Returns the address that opens the console in one more browser. It works once. */
    public String url() {
        return "http://127.0.0.1:" + port() + "/?token=" + access.token();
    }

    /** Returns the port. */
    public int port() {
        return http.getAddress().getPort();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            ConsoleResponse.SECURITY_HEADERS.forEach(exchange.getResponseHeaders()::set);
            Headers headers = exchange.getRequestHeaders();
            if (!isOwnHost(headers)) {
                send(exchange, ConsoleResponse.error(403, "the Host header is not that of this console"));
            } else if (!isOwnOrigin(exchange)) {
                send(exchange, ConsoleResponse.error(403, "the Origin header is not that of this console"));
            } else {
                serveOwn(exchange);
            }
        }
    }

    /** The Host headers of a browser, which leaves out the default port. */
    static Set<String> hosts(int port) {
        String end = port == DEFAULT_PORT ? "" : ":" + port;
        return Set.of("127.0.0.1" + end, "localhost" + end);
    }

    private boolean isOwnHost(Headers headers) {
        List<String> given = headers.getOrDefault("Host", List.of());
        return given.size() == 1 && hosts.contains(given.get(0));
    }

    /** A browser sends no Origin with the GET requests of a page itself, but always with POST. */
    private boolean isOwnOrigin(HttpExchange exchange) {
        List<String> given = exchange.getRequestHeaders().getOrDefault("Origin", List.of());
        if (given.isEmpty()) {
            return !exchange.getRequestMethod().equals("POST");
        }
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        return given.size() == 1 && given.get(0).equals("http://" + host);
    }

    private void serveOwn(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(1);
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        boolean known = access.isKnown(exchange.getRequestHeaders().getOrDefault("Cookie", List.of()));
        String token = path.isEmpty() ? query.get("token") : null;
        if (token != null) {
            signIn(exchange, token, known);
        } else if (!path.startsWith("api/")) {
            // The files of the page contain nothing secret. Without them a browser could not say what to do.
            send(exchange, api.handle(request(exchange, path, query)));
        } else if (!known) {
            send(exchange, ConsoleResponse.error(401, "open the console with the URL that it printed"));
        } else if (path.equals("api/stream") && exchange.getRequestMethod().equals("GET")) {
            stream(exchange);
        } else {
            send(exchange, api.handle(request(exchange, path, query)));
        }
    }

    private void signIn(HttpExchange exchange, String token, boolean known) throws IOException {
        Optional<String> cookie = access.exchange(token);
        if (cookie.isEmpty() && !known) {
            send(exchange, new ConsoleResponse(401, TEXT, USED_PAGE));
            return;
        }
        cookie.ifPresent(value -> {
            exchange.getResponseHeaders().set("Set-Cookie", value);
            onSignIn.accept(url());
        });
        exchange.getResponseHeaders().set("Location", "/");
        exchange.sendResponseHeaders(303, -1);
    }

    private static final String USED_PAGE =
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Keyhold console</title>"
                    + "<h1>This URL was used already</h1><p>Each URL of the console opens it in one browser. The terminal in which"
                    + " <code>keyhold console</code> runs shows the next one.</p></html>";

    private static ConsoleRequest request(HttpExchange exchange, String path, Map<String, String> query)
            throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY);
        return new ConsoleRequest(
                exchange.getRequestMethod(),
                path,
                query,
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                        .orElse(""),
                new String(body, StandardCharsets.UTF_8));
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            try {
                query.put(
                        URLDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), StandardCharsets.UTF_8),
                        equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                // A wrong escape: such a parameter is as good as none.
            }
        }
        return query;
    }

    private static void send(HttpExchange exchange, ConsoleResponse response) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
        boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.status(), empty ? -1 : body.length);
        if (!empty) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Sends ticks until the browser goes or the console is closed. */
    private void stream(HttpExchange exchange) throws IOException {
        Optional<ConsoleStream> connected = ConsoleStream.open(api);
        if (connected.isEmpty() || !streams.tryAcquire()) {
            connected.ifPresent(ConsoleStream::close);
            send(exchange, ConsoleStream.REFUSED);
            return;
        }
        try (ConsoleStream stream = connected.get()) {
            exchange.getResponseHeaders().set("Content-Type", ConsoleStream.CONTENT_TYPE);
            exchange.sendResponseHeaders(200, 0);
            stream.writeTo(exchange.getResponseBody());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            streams.release();
        }
    }

    /** Stops the server. Close the {@link ConsoleApi} first, so that connected pages learn of it. */
    @Override
    public void close() {
        try {
            // All of them: when the goodbyes are sent.
            if (!streams.tryAcquire(Ticks.MOST_PAGES, GOODBYE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.DEBUG, "a page did not read the goodbye");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        http.stop(0);
        threads.shutdownNow();
    }
}
