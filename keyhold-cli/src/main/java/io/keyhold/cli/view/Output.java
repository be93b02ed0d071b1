package io.keyhold.cli.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Standard output in UTF-8, whatever the locale says: keys are bytes of UTF-8 on the server, and come out as they are. Written
 * a block at a time.
 */
public final class Output {

    private final PrintStream stream = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);

    /** Writes these lines at once. */
    public void lines(List<String> lines) {
        StringBuilder block = new StringBuilder();
        lines.forEach(line -> block.append(line).append('\n'));
        text(block.toString());
    }

    /** Writes one line. */
    public void line(String line) {
        text(line + "\n");
    }

    void text(String text) {
        stream.print(text);
        stream.flush();
    }

    /** Whether nobody reads any more: the pipe is closed, or the disk is full. */
    public boolean isBroken() {
        return stream.checkError();
    }
}
