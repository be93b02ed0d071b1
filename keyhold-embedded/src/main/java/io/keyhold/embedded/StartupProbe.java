package io.keyhold.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

    void awaitAnswer() {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (!responds(deadline) || !process.isAlive()) {
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
    private boolean responds(long deadline) {
        try (Socket socket = new Socket()) {
            socket.connect(Ports.address(port), millisUntil(deadline));
            socket.setSoTimeout(millisUntil(deadline));
            OutputStream requests = socket.getOutputStream();
            requests.write("PING\r\nINFO server\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream replies = new BufferedInputStream(socket.getInputStream());
            String pong = line(replies);
            if (pong.isEmpty() || pong.startsWith("-LOADING")) {
                return false;
            }
            String info = line(replies);
            return !info.startsWith("$") || isOurs(replies.readNBytes(Integer.parseInt(info.substring(1))));
        } catch (IOException notYet) {
            return false;
        }
    }

    private boolean isOurs(byte[] info) {
        return new String(info, StandardCharsets.UTF_8).lines().anyMatch(("process_id:" + process.pid())::equals);
    }

    private static String line(InputStream replies) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = replies.read(); next >= 0 && next != '\n'; next = replies.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** At least one: for a socket zero means for ever. */
    private static int millisUntil(long deadline) {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }
}
