package io.keyhold.testkit.driver;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.internal.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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
        try (RespConnection connection =
                RespConnection.connect(server.port(), Duration.ofSeconds(Outcomes.LIMIT_SECONDS))) {
            RespConnection.Reply reply = connection.ask(command);
            return reply.isNil() ? null : reply.text();
        } catch (RespConnection.ErrorReply e) {
            return e.getMessage();
        } catch (IOException e) {
            throw new UncheckedIOException("asking " + server, e);
        }
    }

    /** Returns how many connections have this name. */
    long connectionsNamed(String name) {
        return connections(name).count();
    }

    /** Returns how many connections of this name wait in a command such as BLPOP. */
    long blockedNamed(String name) {
        return connections(name)
                .filter(fields -> fields.stream().anyMatch(field -> field.startsWith("flags=") && field.contains("b")))
                .count();
    }

    private Stream<List<String>> connections(String name) {
        return String.valueOf(ask("CLIENT", "LIST"))
                .lines()
                .map(line -> List.of(line.split(" ")))
                .filter(fields -> fields.contains("name=" + name));
    }
}
