package io.keyhold.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Waits until a server that has just been started answers. */
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

    void awaitAnswer() {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (!answers(deadline) || !process.isAlive()) {
                if (process.awaitEnd(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw ended();
                }
                if (System.nanoTime() - deadline >= 0) {
                    throw new EmbeddedRedisException("the server did not answer on " + EmbeddedRedis.HOST + ":" + port
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
     * ours is about to end because of that. So the one who replies is asked who it is, if it cares to tell strangers.
     */
    private boolean answers(long deadline) {
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        try (RespClient client = RespClient.connect(port, left.isNegative() ? Duration.ZERO : left)) {
            return isUp(client) && isOurs(client);
        } catch (IOException notYet) {
            return false;
        }
    }

    private static boolean isUp(RespClient client) throws IOException {
        try {
            client.ask("PING");
            return true;
        } catch (RespClient.ErrorReply error) {
            return !String.valueOf(error.getMessage()).startsWith("LOADING");
        }
    }

    private boolean isOurs(RespClient client) throws IOException {
        try {
            String info = client.ask("INFO", "server");
            return info == null || info.lines().anyMatch(("process_id:" + process.pid())::equals);
        } catch (RespClient.ErrorReply stranger) {
            return true;
        }
    }
}
