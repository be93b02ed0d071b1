package io.keyhold.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A file that all processes append to, a line at a time. The operating system puts the lines in order, so that what is written
 * inside a lock stands in the order in which the lock was held.
 */
final class Chronicle implements Closeable {

    private final FileOutputStream file;

    Chronicle(Path folder) throws IOException {
        file = new FileOutputStream(file(folder).toFile(), true);
    }

    static Path file(Path folder) {
        return folder.resolve("chronicle");
    }

    /** One line with one write, so that lines of others cannot come in between. */
    void append(Event.Kind kind, Prize prize, String worker, long fence) {
        Event event = new Event(System.currentTimeMillis(), kind, prize, worker, fence);
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
