package io.keyhold.embedded.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Redis server of this host without a client library: RESP2, one command at a time, on the calling
 * thread. For the servers that this module starts, for the command, which should start fast, and for tests of drivers.
 */
public final class RespConnection implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream replies;

    private RespConnection(int port, Duration timeout) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            timeout(timeout);
            socket.connect(address(port), millis(timeout));
            replies = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Thrown when the server replies with an error; the message is the server's. */
    public static final class ErrorReply extends IOException {
        private static final long serialVersionUID = 1L;

        ErrorReply(String message) {
            super(message);
        }
    }

    /**
     * A reply: text, a list of replies, or nil.
     *
     * @param isNil whether it is nil, which is neither an empty text nor an empty list
     * @param text of a string or a number; empty for a list and for nil
     * @param elements of a list; empty for all others
     */
    public record Reply(boolean isNil, String text, List<Reply> elements) {
        private static final Reply NIL = new Reply(true, "", List.of());

        private static Reply of(String text) {
            return new Reply(false, text, List.of());
        }

        /** Reads a list as pairs of name and value. */
        public Map<String, String> pairs() {
            Map<String, String> pairs = new LinkedHashMap<>();
            for (int i = 0; i + 1 < elements.size(); i += 2) {
                pairs.put(elements.get(i).text(), elements.get(i + 1).text());
            }
            return pairs;
        }

        /** Reads the lines {@code name:value} of INFO and CLUSTER INFO. */
        public Map<String, String> info() {
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
     * @throws java.net.ConnectException if no process listens there
     */
    public static RespConnection connect(int port, Duration timeout) throws IOException {
        return new RespConnection(port, timeout);
    }

    /**
     * Connects to this port of 127.0.0.1, and authenticates if there is a password.
     *
     * @param timeout how long the connection, and each reply, may take
     * @throws ErrorReply if the server refuses the password
     */
    public static RespConnection connect(int port, @Nullable String password, Duration timeout) throws IOException {
        RespConnection connection = connect(port, timeout);
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

    /** Returns the address of a port of 127.0.0.1, without asking a resolver. */
    public static InetSocketAddress address(int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    /** Limits how long the next replies may take. */
    public void timeout(Duration timeout) throws IOException {
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
    public Reply ask(String... command) throws IOException {
        send(command);
        return receive();
    }

    /** Sends a command whose reply {@link #receive} returns. */
    public void send(String... command) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
        for (String part : command) {
            byte[] bytes = part.getBytes(UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            request.writeBytes(bytes);
            request.writeBytes("\r\n".getBytes(UTF_8));
        }
        socket.getOutputStream().write(request.toByteArray());
    }

    /**
     * Returns the next reply, or the next message of a subscription.
     *
     * @throws ErrorReply if it is an error
     * @throws EOFException if the server closed the connection
     * @throws ProtocolException if it is not RESP
     */
    public Reply receive() throws IOException {
        String line = line();
        String rest = line.isEmpty() ? "" : line.substring(1);
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+', ':' -> Reply.of(rest);
            case '-' -> throw new ErrorReply(rest);
            case '$' -> text(length(line));
            case '*' -> elements(length(line));
            default -> throw notResp(line);
        };
    }

    private static int length(String line) throws ProtocolException {
        try {
            return Integer.parseInt(line.substring(1));
        } catch (NumberFormatException e) {
            throw notResp(line);
        }
    }

    private Reply text(int length) throws IOException {
        if (length < 0) {
            return Reply.NIL;
        }
        byte[] bytes = replies.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw ended();
        }
        return Reply.of(new String(bytes, 0, length, UTF_8));
    }

    private Reply elements(int count) throws IOException {
        if (count < 0) {
            return Reply.NIL;
        }
        List<Reply> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(receive());
        }
        return new Reply(false, "", List.copyOf(elements));
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

    private static ProtocolException notResp(String line) {
        return new ProtocolException("not a reply of a Redis server: '" + line + "'");
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
