package io.keyhold.testkit.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a server without the driver under test: each question on a connection of its own. */
final class ServerConsole {

    private final EmbeddedRedis server;

    ServerConsole(EmbeddedRedis server) {
        this.server = server;
    }

    /** Returns the reply to a command that returns one value: text, the digits of a number, the text of an error, or null. */
    @Nullable
    String ask(String... command) {
        try (Socket socket = new Socket(server.host(), server.port())) {
            socket.setSoTimeout((int) Outcomes.PATIENCE_SECONDS * 1000);
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.write(("*" + command.length + "\r\n").getBytes(UTF_8));
            for (String part : command) {
                byte[] bytes = part.getBytes(UTF_8);
                request.write(("$" + bytes.length + "\r\n").getBytes(UTF_8));
                request.write(bytes);
                request.write("\r\n".getBytes(UTF_8));
            }
            socket.getOutputStream().write(request.toByteArray());
            return read(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException("asking " + server, e);
        }
    }

    private static @Nullable String read(InputStream replies) throws IOException {
        String line = line(replies);
        if (!line.startsWith("$")) {
            return line.substring(1);
        }
        int length = Integer.parseInt(line.substring(1));
        return length < 0 ? null : new String(replies.readNBytes(length), UTF_8);
    }

    private static String line(InputStream replies) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = replies.read(); b != '\r'; b = replies.read()) {
            if (b < 0) {
                throw new EOFException("the server closed the connection after: " + line.toString(UTF_8));
            }
            line.write(b);
        }
        replies.read(); // the line feed
        return line.toString(UTF_8);
    }

    /** How many connections have this name. */
    long connectionsNamed(String name) {
        return String.valueOf(ask("CLIENT", "LIST"))
                .lines()
                .filter(line -> List.of(line.split(" ")).contains("name=" + name))
                .count();
    }
}
