package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The two pipes between this process and the launcher that started it to acquire a lock. The launcher runs the command,
 * forwards signals to it and stops it when the lock is lost; this process holds the lock and reports its state, one message per
 * line. The launcher's messages come on standard input. The end of that input means that the launcher has ended, however that
 * happened. docs/decisions/038 has the reasons.
 */
final class LauncherChannel {

    /** How a run can end. */
    enum End {
        COMMAND_ENDED,
        LAUNCHER_ENDED
    }

    private static final String PIPE = "keyhold.launcher";

    private static @Nullable LauncherChannel open;

    private final OutputStream output;
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final CountDownLatch exited = new CountDownLatch(1);
    private volatile long command;
    private volatile boolean stopping;

    private LauncherChannel(OutputStream output) {
        this.output = output;
    }

    /** Whether the launcher waits for messages of this process: it acquires a lock. */
    static boolean isOffered() {
        return System.getProperty(PIPE) != null;
    }

    /** Returns the channel; empty if there is none. */
    static synchronized Optional<LauncherChannel> open() {
        if (open == null && isOffered()) {
            try {
                open = new LauncherChannel(new FileOutputStream(System.getProperty(PIPE)));
            } catch (IOException e) {
                throw new CliException(ExitCode.SYSTEM, "cannot open the pipe to the launcher: " + e.getMessage(), e);
            }
            Thread reader = new Thread(open::read, "keyhold-launcher-channel");
            reader.setDaemon(true);
            reader.start();
        }
        return Optional.ofNullable(open);
    }

    /**
     * Returns the channel.
     *
     * @throws CliException if there is none
     */
    static LauncherChannel required() {
        return open().orElseThrow(
                        () -> CliException.usage("needs the launcher: call the command keyhold, not the jar"));
    }

    private void read() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.startsWith("command ")) {
                    command = Long.parseLong(line.substring("command ".length()));
                } else if (line.equals("stopping")) {
                    stopping = true;
                } else {
                    end.complete(End.COMMAND_ENDED);
                }
            }
        } catch (IOException unreadable) {
            // As if the launcher had ended.
        }
        end.complete(End.LAUNCHER_ENDED);
    }

    /**
     * Makes a signal that would end this process end the run instead: the command gets TERM, and the lock is held until it has
     * ended. This is the process that operators see as the holder. While shutdown hooks run, so do all threads.
     */
    void forwardSignals() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::delayExit, "keyhold-signal"));
    }

    private void delayExit() {
        if (exited.getCount() > 0) {
            send("signal TERM");
        }
        try {
            exited.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends the exit code of this process, which may exit now. */
    void exit(int exitCode) {
        send("exit " + exitCode);
        exited.countDown();
    }

    /** Completes when the command or the launcher has ended. */
    CompletableFuture<End> end() {
        return end;
    }

    /** Returns the process id of the command, which is also its process group; 0 if it has not started. */
    long command() {
        return command;
    }

    /** Whether the launcher stops the command. */
    boolean isStopping() {
        return stopping;
    }

    /** Sends one message. Blocks if a stopped launcher has not read the earlier ones. */
    synchronized void send(String message) {
        try {
            output.write((message + "\n").getBytes(UTF_8));
        } catch (IOException launcherEnded) {
            // Its end is read from standard input.
        }
    }
}
