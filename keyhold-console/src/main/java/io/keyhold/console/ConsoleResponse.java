package io.keyhold.console;

import io.keyhold.console.internal.JsonText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response of the console, without its server. A server adds {@link #SECURITY_HEADERS} to all of them.
 *
 * @param status the HTTP status
 * @param contentType the content type
 * @param body the body, to be sent as UTF-8; every file of the page is text
 */
public record ConsoleResponse(int status, String contentType, String body) {

    /**
     * Headers for every response: the page loads nothing from elsewhere and runs no inline script, no other site may show it in a frame, and
     * nothing is kept in a cache.
     */
    public static final Map<String, String> SECURITY_HEADERS = Map.of(
            "Content-Security-Policy",
                    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Cache-Control", "no-store",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin");

    static ConsoleResponse json(int status, @Nullable Object value) {
        return new ConsoleResponse(status, "application/json; charset=utf-8", JsonText.of(value));
    }

    static ConsoleResponse error(int status, String message) {
        return json(status, Map.of("error", message));
    }
}
