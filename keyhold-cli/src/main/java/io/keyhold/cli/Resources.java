package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Reads the text files in the jar. */
final class Resources {

    private Resources() {}

    static String text(String name) {
        try (InputStream text = Objects.requireNonNull(Resources.class.getResourceAsStream(name), name)) {
            return new String(text.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + name, e);
        }
    }
}
