package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;

/** Asks a server something. Replies are lists of text, which an assertion can compare. */
final class RawRedis implements AutoCloseable {
    private final RespConnection connection;

    RawRedis(EmbeddedRedis redis) throws IOException {
        this(redis.port());
    }

    RawRedis(int port) throws IOException {
        connection = RespConnection.connect(port, Duration.ofMinutes(1));
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
        connection.send(command);
    }

    List<String> receive() throws IOException {
        try {
            return texts(connection.receive());
        } catch (RespConnection.ErrorReply e) {
            return List.of("-" + e.getMessage());
        }
    }

    private static List<String> texts(RespConnection.Reply reply) {
        if (reply.isNil()) {
            return List.of("(nil)");
        }
        return reply.elements().isEmpty()
                ? List.of(reply.text())
                : reply.elements().stream()
                        .flatMap(each -> texts(each).stream())
                        .toList();
    }

    /** Returns when the other side has ended. Unlike a look at its process, this does not depend on which process reaps it. */
    void awaitEnd() throws IOException {
        try {
            throw new AssertionError("still alive, and says " + receive());
        } catch (SocketException | EOFException ended) {
            // As it should.
        }
    }

    void readTimeout(Duration timeout) throws IOException {
        connection.timeout(timeout);
    }

    @Override
    public void close() {
        connection.close();
    }
}
