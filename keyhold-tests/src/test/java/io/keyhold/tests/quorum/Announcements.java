package io.keyhold.tests.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.UUID;

/**
 * Counts the messages that scripts of one node publish to waiters. Clients publish too, every few seconds, to probe their grant
 * channel; those messages are not counted.
 */
final class Announcements implements AutoCloseable {

    private static final String BY_A_SCRIPT = " lua] \"PUBLISH\" ";

    private final Console console;
    private final Socket socket;
    private final BufferedReader commands;
    private long count;

    /** Counts from now on. */
    Announcements(EmbeddedRedis server) throws IOException {
        console = new Console(server.uri());
        socket = new Socket(server.host(), server.port());
        socket.getOutputStream().write("MONITOR\r\n".getBytes(UTF_8));
        commands = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        next(); // The reply: every later command is seen.
    }

    /** Returns how many there were. */
    long count() throws IOException {
        String now = UUID.randomUUID().toString();
        console.ask("ECHO", now);
        for (String command = next(); !command.contains(now); command = next()) {
            if (command.contains(BY_A_SCRIPT)) {
                count++;
            }
        }
        return count;
    }

    private String next() throws IOException {
        String line = commands.readLine();
        if (line == null) {
            throw new EOFException("the server ended");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        console.close();
    }
}
