package io.keyhold.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a chronicle while it grows. */
final class ChronicleReader implements Closeable {

    private final FileInputStream file;
    private final StringBuilder beginning = new StringBuilder();

    ChronicleReader(Path folder) throws IOException {
        file = new FileInputStream(Chronicle.file(folder).toFile());
    }

    /** What has been written since the last time, as far as lines are whole. */
    List<Event> next() {
        try {
            beginning.append(new String(file.readAllBytes(), US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int whole = beginning.lastIndexOf("\n") + 1;
        List<Event> events = new ArrayList<>();
        beginning.substring(0, whole).lines().map(Event::read).forEach(events::add);
        beginning.delete(0, whole);
        return events;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
