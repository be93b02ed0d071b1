package io.keyhold.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads an event log while it grows. */
final class EventLogReader implements Closeable {

    private final FileInputStream file;
    private final StringBuilder incomplete = new StringBuilder();

    EventLogReader(Path folder) throws IOException {
        file = new FileInputStream(EventLog.file(folder).toFile());
    }

    /** Returns the events of the complete lines that were written since the last call. */
    List<Event> next() {
        try {
            incomplete.append(new String(file.readAllBytes(), US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int whole = incomplete.lastIndexOf("\n") + 1;
        List<Event> events = new ArrayList<>();
        incomplete.substring(0, whole).lines().map(Event::parse).forEach(events::add);
        incomplete.delete(0, whole);
        return events;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
