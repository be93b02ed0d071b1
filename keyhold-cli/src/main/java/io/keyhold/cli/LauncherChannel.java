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
 * The two pipes between this process and the launcher that started it for {@code keyhold run}. The launcher runs the command,
 * forwards signals to it and stops it when the lock is lost; this process holds the lock and reports its state, one message per
 * line. The launcher sends a single message, on standard input: the command has ended. The end of that input means that the
 * launcher has ended, however that happened. docs/decisions/018 has the reasons.
 */
final class LauncherChannel {

    /** What the launcher can report. */
    enum Message {
        COMMAND_ENDED,
        LAUNCHER_ENDED
    }

    private static @Nullable LauncherChannel open;

    private final OutputStream output;
    private final CompletableFuture<Message> received = new CompletableFuture<>();

    private LauncherChannel(OutputStream output) {
        this.output = output;
    }

    /** Returns the channel; empty if this process was not started by the launcher for a run. */
    static synchronized Optional<LauncherChannel> open() {
        String pipe = System.getProperty("keyhold.launcher");
        if (open == null && pipe != null) {
            try {
                open = new LauncherChannel(new FileOutputStream(pipe));
            } catch (IOException e) {
                throw new CliException(ExitCode.INTERNAL, "cannot open the pipe to the launcher: " + e.getMessage(), e);
            }
            Thread reader = new Thread(open::read, "keyhold-launcher-channel");
            reader.setDaemon(true);
            reader.start();
        }
        return Optional.ofNullable(open);
    }

    private void read() {
        int first;
        try {
            first = System.in.read();
        } catch (IOException e) {
            first = -1;
        }
        received.complete(first < 0 ? Message.LAUNCHER_ENDED : Message.COMMAND_ENDED);
    }

    /** Completes with the launcher's message. */
    CompletableFuture<Message> received() {
        return received;
    }

    /** Waits for the launcher's message; returns empty if it does not arrive within this time. */
    Optional<Message> await(long millis) throws InterruptedException {
        try {
            return Optional.of(received.get(millis, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Sends one message.
     *
     * @return false if no process reads the pipe any more
     */
    boolean send(String name, String value) {
        try {
            output.write((name + " " + value + "\n").getBytes(UTF_8));
            return true;
        } catch (IOException closed) {
            return false;
        }
    }
}
