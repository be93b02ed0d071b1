package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The launcher that started this process for {@code keyhold run}, as this process sees it. The launcher is what the user
 * sees: it runs the command, forwards signals to it and ends it when the lock is lost. This process holds the lock, and says
 * line by line how it stands; docs/decisions/018 tells why the work is divided so.
 */
final class Front {

    private final OutputStream words;
    private final @Nullable ProcessHandle process;

    private Front(OutputStream words, @Nullable ProcessHandle process) {
        this.words = words;
        this.process = process;
    }

    /** Empty if this process was not started by the launcher for a run. */
    static Optional<Front> connect() {
        String pipe = System.getProperty("keyhold.front");
        if (pipe == null) {
            return Optional.empty();
        }
        try {
            long pid = Long.getLong("keyhold.front.pid", -1);
            return Optional.of(
                    new Front(new FileOutputStream(pipe), ProcessHandle.of(pid).orElse(null)));
        } catch (IOException e) {
            throw new CliException(ExitCode.INTERNAL, "cannot talk to the launcher: " + e.getMessage(), e);
        }
    }

    /** Whether the launcher's process is still there. */
    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /**
     * Says one thing.
     *
     * @return false if nobody listens any more
     */
    boolean say(String word, String value) {
        try {
            words.write((word + " " + value + "\n").getBytes(UTF_8));
            return true;
        } catch (IOException nobodyListens) {
            return false;
        }
    }
}
