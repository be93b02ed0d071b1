package io.keyhold.spring.boot;

import io.keyhold.console.ConsoleApi;
import io.keyhold.console.ConsoleRequest;
import io.keyhold.console.ConsoleResponse;
import io.keyhold.console.ConsoleStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Serves the console as a part of the application. Who may use it is decided by the application, as for the rest of its paths; a release is refused
 * if the page of another site asks for it. A connected page has a thread of the container, of which there are at most sixteen.
 */
final class ConsoleServlet extends HttpServlet {

    private static final long serialVersionUID = 1;
    private static final int LONGEST_BODY = 16 * 1024;

    private final transient ConsoleApi api;

    ConsoleServlet(ConsoleApi api) {
        this.api = api;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ConsoleResponse.SECURITY_HEADERS.forEach(response::setHeader);
        String path = request.getPathInfo();
        if (path == null) {
            // The page names its files relative to its own path. The URI of the request may begin with //, and so name
            // another host.
            response.sendRedirect(request.getContextPath() + request.getServletPath() + "/");
        } else if (!isOwnOrigin(request)) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN, "the Origin header is not that of this application");
        } else if (path.equals("/api/stream") && request.getMethod().equals("GET")) {
            stream(response);
        } else {
            send(response, api.handle(consoleRequest(request, path.substring(1))));
        }
    }

    /** A browser sends Origin with every POST. Behind a proxy the container must know the public address: {@code server.forward-headers-strategy}. */
    private static boolean isOwnOrigin(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin == null) {
            return !request.getMethod().equals("POST");
        }
        StringBuffer url = request.getRequestURL();
        return origin.equals(
                url.substring(0, url.length() - request.getRequestURI().length()));
    }

    private static ConsoleRequest consoleRequest(HttpServletRequest request, String path) throws IOException {
        // Not for POST: the container would read the body for parameters.
        Map<String, String> query = request.getMethod().equals("GET")
                ? Collections.list(request.getParameterNames()).stream()
                        .collect(Collectors.toMap(name -> name, request::getParameter))
                : Map.of();
        return new ConsoleRequest(
                request.getMethod(),
                path,
                query,
                Objects.requireNonNullElse(request.getContentType(), ""),
                new String(request.getInputStream().readNBytes(LONGEST_BODY), StandardCharsets.UTF_8));
    }

    private static void send(HttpServletResponse response, ConsoleResponse result) throws IOException {
        byte[] body = result.body().getBytes(StandardCharsets.UTF_8);
        response.setStatus(result.status());
        response.setContentType(result.contentType());
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private void stream(HttpServletResponse response) throws IOException {
        Optional<ConsoleStream> connected = ConsoleStream.open(api);
        if (connected.isEmpty()) {
            send(response, ConsoleStream.REFUSED);
            return;
        }
        try (ConsoleStream stream = connected.get()) {
            response.setContentType(ConsoleStream.CONTENT_TYPE);
            stream.writeTo(response.getOutputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
