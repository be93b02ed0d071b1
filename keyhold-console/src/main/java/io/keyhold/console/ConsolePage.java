package io.keyhold.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/** The files of the page, which are resources of this module. */
final class ConsolePage {

    private static final Pattern PATH =
            Pattern.compile("(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "txt", "text/plain; charset=utf-8");

    private ConsolePage() {}

    /** Returns a file of the page by its path. */
    static ConsoleResponse response(String path) throws IOException {
        String file = path.isEmpty() ? "index.html" : path;
        String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        if (type == null || !PATH.matcher(file).matches()) {
            return ConsoleResponse.error(404, "there is no such file");
        }
        try (InputStream stream = ConsolePage.class.getResourceAsStream("page/" + file)) {
            return stream == null
                    ? ConsoleResponse.error(404, "there is no such file")
                    : new ConsoleResponse(200, type, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
