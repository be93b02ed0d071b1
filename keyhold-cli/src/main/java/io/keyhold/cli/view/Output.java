package io.keyhold.cli.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Standard output in UTF-8, whatever the locale says: keys are bytes of UTF-8 on the server, and come out as they are. Written
 * a block at a time.
 */
public final class Output {

    /** What the system says of a pipe that nobody reads any more, on Linux and on macOS. */
    private static final String CLOSED_PIPE = "Broken pipe";

    private final FileOutputStream stream = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException failure;

    /**
     * Writes these lines at once. Where nobody reads them any more, because the pipe is closed, they are dropped.
     *
     * @throws UnwrittenException if they cannot be written for another reason
     */
    public void lines(List<String> lines) {
        StringBuilder block = new StringBuilder();
        lines.forEach(line -> block.append(line).append('\n'));
        text(block.toString());
        if (failure != null && !CLOSED_PIPE.equals(failure.getMessage())) {
            throw new UnwrittenException(failure);
        }
    }

    /**
     * Writes one line, as {@link #lines} does.
     *
     * @throws UnwrittenException if it cannot be written
     */
    public void line(String line) {
        lines(List.of(line));
    }

    /**
     * Writes one line that somebody has to read.
     *
     * @throws UnwrittenException if it cannot be written, also because nobody reads any more
     */
    public void deliver(String line) {
        line(line);
        if (failure != null) {
            throw new UnwrittenException(failure);
        }
    }

    /** Writes what is for a screen, which may be gone. */
    void text(String text) {
        try {
            stream.write(text.getBytes(UTF_8));
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Whether nobody reads any more. */
    public boolean isBroken() {
        return failure != null;
    }
}
