package io.keyhold.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One connection to one server of this host, which speaks RESP2: one command at a time, on the calling thread. */
final class Resp implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream replies;

    private Resp(int port, Duration timeout) throws IOException {
        try {
            timeout(timeout);
            socket.connect(Ports.address(port), millis(timeout));
            replies = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Thrown when the server replies with an error; the message is the server's. */
    static final class ErrorReply extends IOException {
        private static final long serialVersionUID = 1L;

        ErrorReply(String message) {
            super(message);
        }
    }

    /**
     * A reply: text, or a list of replies.
     *
     * @param text of a string or a number; empty for a list and for null
     */
    record Reply(String text, List<Reply> elements) {
        /** Reads a list as pairs of name and value. */
        Map<String, String> pairs() {
            Map<String, String> pairs = new LinkedHashMap<>();
            for (int i = 0; i + 1 < elements.size(); i += 2) {
                pairs.put(elements.get(i).text(), elements.get(i + 1).text());
            }
            return pairs;
        }

        /** Reads the lines {@code name:value} of INFO and CLUSTER INFO. */
        Map<String, String> info() {
            Map<String, String> values = new LinkedHashMap<>();
            text.lines().forEach(line -> {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    values.put(line.substring(0, colon), line.substring(colon + 1));
                }
            });
            return values;
        }
    }

    /**
     * Connects to this port of 127.0.0.1.
     *
     * @param timeout how long the connection, and each reply, may take
     */
    static Resp connect(int port, @Nullable String password, Duration timeout) throws IOException {
        Resp connection = new Resp(port, timeout);
        try {
            if (password != null) {
                connection.ask("AUTH", password);
            }
            return connection;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /** Limits how long the next replies may take. */
    void timeout(Duration timeout) throws IOException {
        socket.setSoTimeout(millis(timeout));
    }

    /** At least one: for a socket zero means for ever. */
    private static int millis(Duration timeout) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, timeout.toMillis()));
    }

    /**
     * Sends a command and returns its reply.
     *
     * @throws ErrorReply if the server replies with an error
     */
    Reply ask(String... command) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
        for (String part : command) {
            byte[] bytes = part.getBytes(UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            request.writeBytes(bytes);
            request.writeBytes("\r\n".getBytes(UTF_8));
        }
        socket.getOutputStream().write(request.toByteArray());
        return receive();
    }

    /** Returns the next reply, or the next message of a subscription. */
    Reply receive() throws IOException {
        String line = line();
        String rest = line.isEmpty() ? "" : line.substring(1);
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+', ':' -> new Reply(rest, List.of());
            case '-' -> throw new ErrorReply(rest);
            case '$' -> new Reply(text(Integer.parseInt(rest)), List.of());
            case '*' -> new Reply("", elements(Integer.parseInt(rest)));
            default -> throw new IOException("not a reply of a Redis server: '" + line + "'");
        };
    }

    private String text(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = replies.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw ended();
        }
        return new String(bytes, 0, length, UTF_8);
    }

    private List<Reply> elements(int count) throws IOException {
        List<Reply> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(receive());
        }
        return List.copyOf(elements);
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
        return new EOFException("the server closed the connection");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection has ended in either case.
        }
    }
}
