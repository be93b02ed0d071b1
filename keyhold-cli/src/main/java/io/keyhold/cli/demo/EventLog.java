package io.keyhold.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A file to which all processes append lines. The operating system orders the lines, so lines written inside a lock are in the
 * order in which the lock was held.
 */
final class EventLog implements Closeable {

    private final FileOutputStream file;

    EventLog(Path folder) throws IOException {
        file = new FileOutputStream(file(folder).toFile(), true);
    }

    static Path file(Path folder) {
        return folder.resolve("events");
    }

    /** Appends a line with a single write, so that lines of other processes do not mix with it. */
    void append(Event.Kind kind, Resource resource, String worker, long fence) {
        Event event = new Event(System.currentTimeMillis(), kind, resource, worker, fence);
        try {
            file.write((event.line() + "\n").getBytes(US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
