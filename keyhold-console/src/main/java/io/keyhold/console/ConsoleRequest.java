package io.keyhold.console;

import java.util.Map;
import java.util.Objects;

/**
 * A request to the console, without its server.
 *
 * @param method GET or POST
 * @param path the path below the base of the console, such as {@code api/locks}, without a slash in front
 * @param query the parameters of the query, decoded; of several with one name any
 * @param contentType the content type of the body; empty without one
 * @param body the body as text; empty without one
 */
public record ConsoleRequest(String method, String path, Map<String, String> query, String contentType, String body) {

    /** Copies the parameters. */
    public ConsoleRequest {
        Objects.requireNonNull(method, "method must not be null");
        Objects.requireNonNull(path, "path must not be null");
        query = Map.copyOf(query);
        Objects.requireNonNull(contentType, "contentType must not be null");
        Objects.requireNonNull(body, "body must not be null");
    }

    /** Returns a GET request. */
    public static ConsoleRequest get(String path, Map<String, String> query) {
        return new ConsoleRequest("GET", path, query, "", "");
    }

    /** Returns a POST request with a JSON body. */
    public static ConsoleRequest post(String path, String json) {
        return new ConsoleRequest("POST", path, Map.of(), "application/json", json);
    }

    String parameter(String name) {
        return query.getOrDefault(name, "");
    }

    /** Returns a whole number; the default if it is absent. */
    int number(String name, int absent, int least, int most) {
        String text = parameter(name);
        if (text.isEmpty()) {
            return absent;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new ConsoleFailure(
                400, name + " must be a whole number from " + least + " to " + most + ", was '" + text + "'");
    }
}
