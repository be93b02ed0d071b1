package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Standard output, always in UTF-8, because keys are UTF-8 on the server. Each call writes one block. */
final class Output {

    /** The message of a write to a closed pipe, on Linux and on macOS. */
    private static final String CLOSED_PIPE = "Broken pipe";

    private final FileOutputStream stream = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException failure;

    /** Writes these lines, as {@link #line} does. */
    void lines(List<String> lines) {
        line(String.join("\n", lines));
    }

    /**
     * Writes one line. Drops it if standard output is a closed pipe.
     *
     * @throws CliException if it cannot be written for another reason
     */
    void line(String line) {
        text(line + "\n");
        if (failure != null && !CLOSED_PIPE.equals(failure.getMessage())) {
            throw failed(failure);
        }
    }

    /**
     * Writes one line that must be read.
     *
     * @throws CliException if it cannot be written, also because the pipe is closed
     */
    void deliver(String line) {
        line(line);
        if (failure != null) {
            throw failed(failure);
        }
    }

    private static CliException failed(IOException failure) {
        return new CliException(ExitCode.OUTPUT_FAILED, "cannot write the result: " + failure.getMessage(), failure);
    }

    /** Writes a text; a failure shows in {@link #isBroken}. */
    void text(String text) {
        try {
            stream.write(text.getBytes(UTF_8));
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Whether a write has failed. */
    boolean isBroken() {
        return failure != null;
    }
}
