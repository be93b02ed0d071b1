package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The launcher that started this process for {@code keyhold run}, as this process sees it. The launcher is what the user
 * sees: it runs the command, forwards signals to it and ends it when the lock is lost. This process holds the lock, and says
 * line by line how it stands. The launcher says one thing only, on standard input: that the command has ended. The end of
 * that input is the launcher's own, however it came. docs/decisions/018 tells why the work is divided so.
 */
final class Front {

    /** What the launcher tells. */
    enum Word {
        COMMAND_ENDED,
        /** Nothing: it is not there any more. */
        GONE
    }

    private static @Nullable Front connected;

    private final OutputStream words;
    private final CompletableFuture<Word> told = new CompletableFuture<>();

    private Front(OutputStream words) {
        this.words = words;
    }

    /** Empty if this process was not started by the launcher for a run. */
    static synchronized Optional<Front> connect() {
        String pipe = System.getProperty("keyhold.front");
        if (connected == null && pipe != null) {
            try {
                connected = new Front(new FileOutputStream(pipe));
            } catch (IOException e) {
                throw new CliException(ExitCode.INTERNAL, "cannot talk to the launcher: " + e.getMessage(), e);
            }
            Thread listening = new Thread(connected::listen, "keyhold-front");
            listening.setDaemon(true);
            listening.start();
        }
        return Optional.ofNullable(connected);
    }

    private void listen() {
        int first;
        try {
            first = System.in.read();
        } catch (IOException e) {
            first = -1;
        }
        told.complete(first < 0 ? Word.GONE : Word.COMMAND_ENDED);
    }

    /** Done when the launcher has told something. */
    CompletableFuture<Word> told() {
        return told;
    }

    /** What the launcher tells, if it does within this time. */
    Optional<Word> hear(long millis) throws InterruptedException {
        try {
            return Optional.of(told.get(millis, TimeUnit.MILLISECONDS));
        } catch (TimeoutException nothingYet) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
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
