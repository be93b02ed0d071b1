package io.keyhold.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.regex.Pattern;

/** The files of the page, which are resources of this module. */
final class ConsolePage {

    private static final Pattern PATH =
            Pattern.compile("(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private ConsolePage() {}

    /** Returns a file of the page by its path; empty if there is none. */
    static Optional<byte[]> file(String path) throws IOException {
        if (!PATH.matcher(path).matches()) {
            return Optional.empty();
        }
        try (InputStream stream = ConsolePage.class.getResourceAsStream("page/" + path)) {
            return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
        }
    }
}
