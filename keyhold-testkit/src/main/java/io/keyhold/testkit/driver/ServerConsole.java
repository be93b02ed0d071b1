package io.keyhold.testkit.driver;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.RespClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a server without the driver under test: each question on a connection of its own. */
final class ServerConsole {

    private final EmbeddedRedis server;

    ServerConsole(EmbeddedRedis server) {
        this.server = server;
    }

    /** The reply to a command that answers one value: text, the digits of a number, an error's words, or null. */
    @Nullable
    String ask(String... command) {
        try (RespClient client = RespClient.connect(server.port(), Duration.ofSeconds(Outcomes.PATIENCE_SECONDS))) {
            return client.ask(command);
        } catch (RespClient.ErrorReply error) {
            return error.getMessage();
        } catch (IOException e) {
            throw new UncheckedIOException("asking " + server, e);
        }
    }

    /** How many connections have this name. */
    long connectionsNamed(String name) {
        return String.valueOf(ask("CLIENT", "LIST"))
                .lines()
                .filter(line -> List.of(line.split(" ")).contains("name=" + name))
                .count();
    }
}
