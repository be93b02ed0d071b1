package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** A minimal RESP client for the private Redis server, which starts faster than a driver. */
final class RespClient implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Socket socket;
    private final InputStream input;

    private RespClient(Socket socket) throws IOException {
        this.socket = socket;
        this.input = socket.getInputStream();
    }

    /**
     * Connects to this port of 127.0.0.1.
     *
     * @throws java.net.ConnectException if no process listens there
     */
    static RespClient connect(int port) throws IOException {
        return connect(port, TIMEOUT);
    }

    /**
     * Connects to this port of 127.0.0.1.
     *
     * @param timeout the longest time for a reply
     * @throws java.net.ConnectException if no process listens there
     */
    static RespClient connect(int port, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), millis);
            return new RespClient(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends an inline command. Returns the text of a bulk string; of other replies the first line with its type character. */
    String call(String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
        String line = line();
        if (!line.startsWith("$") || line.startsWith("$-")) {
            return line;
        }
        byte[] text = input.readNBytes(Integer.parseInt(line.substring(1)) + 2);
        return new String(text, UTF_8).stripTrailing();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // The connection is closed in any case.
        }
    }
}
