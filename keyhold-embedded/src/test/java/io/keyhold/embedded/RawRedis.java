package io.keyhold.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Just enough of the protocol to ask a server something, without a client library. */
final class RawRedis implements AutoCloseable {
    private final Socket socket = new Socket();
    private final BufferedReader replies;

    RawRedis(EmbeddedRedis redis) throws IOException {
        this(redis.port());
    }

    RawRedis(int port) throws IOException {
        socket.connect(Ports.address(port));
        socket.setSoTimeout((int) Duration.ofSeconds(10).toMillis());
        replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The reply's text; the elements of an array, in order; an error with its leading minus. */
    static List<String> ask(EmbeddedRedis redis, String... command) throws IOException {
        try (RawRedis connection = new RawRedis(redis)) {
            return connection.ask(command);
        }
    }

    List<String> ask(String... command) throws IOException {
        send(command);
        return receive();
    }

    void send(String... command) throws IOException {
        StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
        for (String each : command) {
            int length = each.getBytes(StandardCharsets.UTF_8).length;
            request.append('$').append(length).append("\r\n").append(each).append("\r\n");
        }
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
    }

    List<String> receive() throws IOException {
        String header = replies.readLine();
        if (header == null) {
            throw new IOException("the server closed the connection");
        }
        return switch (header.charAt(0)) {
            case '*' -> {
                List<String> elements = new ArrayList<>();
                for (int left = Integer.parseInt(header.substring(1)); left > 0; left--) {
                    elements.addAll(receive());
                }
                yield elements;
            }
            case '$' -> List.of(header.equals("$-1") ? "(nil)" : bulk(Integer.parseInt(header.substring(1))));
            case '+', ':' -> List.of(header.substring(1));
            default -> List.of(header);
        };
    }

    private String bulk(int length) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.toString().getBytes(StandardCharsets.UTF_8).length < length) {
            text.append((char) replies.read());
        }
        replies.readLine();
        return text.toString();
    }

    /** Returns when the other side has ended. Unlike a look at its process, this does not depend on who buries it. */
    void awaitEnd() throws IOException {
        try {
            String unexpected = replies.readLine();
            if (unexpected != null) {
                throw new AssertionError("still alive, and says " + unexpected);
            }
        } catch (SocketException reset) {
            // Also an end.
        }
    }

    void readTimeout(Duration timeout) throws IOException {
        socket.setSoTimeout((int) timeout.toMillis());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
