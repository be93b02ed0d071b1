package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Waits until a server that has just been started responds. */
final class StartupProbe {
    /** In the words of glibc and macOS, or of musl, with which the bundled servers for Linux are built. */
    private static final Pattern ADDRESS_IN_USE = Pattern.compile("Address (already )?in use");

    private static final long POLL_MILLIS = 2;

    private final ServerProcess process;
    private final int port;
    private final Duration timeout;

    StartupProbe(ServerProcess process, int port, Duration timeout) {
        this.process = process;
        this.port = port;
        this.timeout = timeout;
    }

    void awaitReply() {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (!responds(deadline) || !process.isAlive()) {
                if (process.awaitEnd(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw ended();
                }
                if (System.nanoTime() - deadline >= 0) {
                    throw new EmbeddedRedisException("the server did not reply on " + EmbeddedRedis.HOST + ":" + port
                            + " within " + timeout + withOutput());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedRedisException("interrupted while the server was starting", e);
        }
    }

    private EmbeddedRedisException ended() {
        String message = "the server ended with status " + process.exitStatus() + " instead of starting on port " + port
                + withOutput();
        return ADDRESS_IN_USE.matcher(message).find()
                ? new PortTakenException(message)
                : new EmbeddedRedisException(message);
    }

    private String withOutput() {
        return "; its last output:\n" + process.lastOutput();
    }

    /**
     * Whether our server replies. Any reply will do, also an error: a server that asks for a password is up. Only
     * LOADING means "not yet".
     *
     * <p>That something replies is not enough. Another process can have taken the port since it was found free, and
     * ours is about to end because of that. So the process that replies is asked for its id, unless it
     * refuses to tell.
     */
    private boolean responds(long deadline) {
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        try (RespConnection connection = RespConnection.connect(port, left)) {
            return !isLoading(connection) && isOurs(connection);
        } catch (IOException notYet) {
            return false;
        }
    }

    private static boolean isLoading(RespConnection connection) throws IOException {
        try {
            connection.ask("PING");
            return false;
        } catch (RespConnection.ErrorReply e) {
            return String.valueOf(e.getMessage()).startsWith("LOADING");
        }
    }

    private boolean isOurs(RespConnection connection) throws IOException {
        try {
            Map<String, String> info = connection.ask("INFO", "server").info();
            return Long.toString(process.pid()).equals(info.get("process_id"));
        } catch (RespConnection.ErrorReply refused) {
            return true;
        }
    }
}
