package io.keyhold.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A minimal client of one server on this host, for tools and tests without a driver: one command at a time, on the calling
 * thread, with a reply of one value.
 */
public final class RespClient implements AutoCloseable {

    private final Socket socket;
    private final InputStream replies;

    private RespClient(Socket socket) throws IOException {
        this.socket = socket;
        this.replies = new BufferedInputStream(socket.getInputStream());
    }

    /** Thrown when the server replies with an error; the message is the server's. */
    public static final class ErrorReply extends IOException {

        private static final long serialVersionUID = 1;

        ErrorReply(String message) {
            super(message);
        }
    }

    /**
     * Connects to this port of 127.0.0.1.
     *
     * @param timeout how long the connection, and each reply, may take
     * @throws IOException if no server listens there
     */
    public static RespClient connect(int port, Duration timeout) throws IOException {
        int millis = Math.max(1, Math.toIntExact(timeout.toMillis())); // For a socket zero means for ever.
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(Ports.address(port), millis);
            return new RespClient(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a command and returns its reply: the text of a string, the digits of a number, or null.
     *
     * @throws ErrorReply if the server replies with an error
     * @throws EOFException if the server closes the connection instead
     */
    public @Nullable String ask(String... command) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
        for (String part : command) {
            byte[] bytes = part.getBytes(UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            request.writeBytes(bytes);
            request.writeBytes("\r\n".getBytes(UTF_8));
        }
        socket.getOutputStream().write(request.toByteArray());
        return reply();
    }

    private @Nullable String reply() throws IOException {
        String line = line();
        String text = line.isEmpty() ? "" : line.substring(1);
        if (line.startsWith("-")) {
            throw new ErrorReply(text);
        }
        if (!line.startsWith("$")) {
            return text;
        }
        int length = length(text);
        if (length < 0) {
            return null;
        }
        byte[] bytes = replies.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw ended();
        }
        return new String(bytes, 0, length, UTF_8);
    }

    private static int length(String digits) throws IOException {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new IOException("not a Redis server: it replied '$" + digits + "'", e);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = replies.read(); next != '\n'; next = replies.read()) {
            if (next < 0) {
                throw ended();
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(UTF_8);
    }

    private static EOFException ended() {
        return new EOFException("the server has closed the connection");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is gone one way or the other.
        }
    }
}
