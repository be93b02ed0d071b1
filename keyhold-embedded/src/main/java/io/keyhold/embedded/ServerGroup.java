package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Servers that belong together: asks them, waits for what they say, and ends them in the reverse order of their start. */
final class ServerGroup implements AutoCloseable {
    /** How long one command may take: less than a whole wait, which goes on when a server is paused in the middle of it. */
    private static final Duration COMMAND = Duration.ofSeconds(15);

    private static final long POLL_MILLIS = 10;

    private final List<EmbeddedRedis> servers = new CopyOnWriteArrayList<>();
    private final @Nullable String password;
    private final Duration timeout;

    ServerGroup(@Nullable String password, Duration timeout) {
        this.password = password;
        this.timeout = timeout;
    }

    EmbeddedRedis start(EmbeddedRedisBuilder builder) {
        EmbeddedRedis server = builder.start();
        servers.add(server);
        return server;
    }

    List<EmbeddedRedis> all() {
        return List.copyOf(servers);
    }

    /** Returns those that can reply: neither killed nor paused. */
    List<EmbeddedRedis> responsive() {
        return servers.stream()
                .filter(each -> each.isRunning() && !each.isPaused())
                .toList();
    }

    Optional<EmbeddedRedis> onPort(String port) {
        return servers.stream()
                .filter(each -> Integer.toString(each.port()).equals(port))
                .findFirst();
    }

    void requireMember(EmbeddedRedis server) {
        if (!servers.contains(server)) {
            throw new IllegalArgumentException(server + ": is not one of " + servers);
        }
    }

    @Nullable
    String password() {
        return password;
    }

    Duration timeout() {
        return timeout;
    }

    /** Opens a connection whose replies may take as long as the group's timeout. */
    RespConnection connect(EmbeddedRedis server) throws IOException {
        return RespConnection.connect(server.port(), password, timeout);
    }

    RespConnection.Reply ask(EmbeddedRedis server, String... command) {
        Duration limit = COMMAND.compareTo(timeout) < 0 ? COMMAND : timeout;
        try (RespConnection connection = RespConnection.connect(server.port(), password, limit)) {
            return connection.ask(command);
        } catch (IOException e) {
            throw failed(server, e, command);
        }
    }

    static EmbeddedRedisException failed(EmbeddedRedis server, IOException e, String... command) {
        // Not the arguments: they may be long, or passwords.
        String reason = e instanceof RespConnection.ErrorReply ? String.valueOf(e.getMessage()) : e.toString();
        return new EmbeddedRedisException(address(server) + " failed to execute " + command[0] + ": " + reason, e);
    }

    /** Asks again while the server closes the connection and still runs: a server that Sentinel demotes closes all of them. */
    Map<String, String> replication(EmbeddedRedis server) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                return ask(server, "INFO", "replication").info();
            } catch (EmbeddedRedisException e) {
                boolean closed = e.getCause() instanceof SocketException || e.getCause() instanceof EOFException;
                if (!closed || !responsive().contains(server) || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
            }
        }
    }

    /**
     * Waits until nothing is missing.
     *
     * @param goal what is waited for, for the message
     * @param missing returns what is still missing, or "" when the goal is reached; a server that cannot be asked is missing
     */
    void await(String goal, Supplier<String> missing) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (String reason = look(missing); !reason.isEmpty(); reason = look(missing)) {
            if (System.nanoTime() - deadline >= 0) {
                throw new EmbeddedRedisException(
                        goal + ": not reached within " + timeout + ": " + reason + lastOutputs());
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EmbeddedRedisException(goal + ": interrupted: " + reason, e);
            }
        }
    }

    /** Returns what the servers wrote last, to end a message with. */
    String lastOutputs() {
        return servers.stream()
                .map(each -> "\n" + each + ", its last output:\n" + each.lastOutput())
                .collect(Collectors.joining());
    }

    private static String look(Supplier<String> missing) {
        try {
            return missing.get();
        } catch (EmbeddedRedisException e) {
            return String.valueOf(e.getMessage());
        }
    }

    static String address(EmbeddedRedis server) {
        return server.host() + ":" + server.port();
    }

    /** Returns the addresses as a URI lists them: separated by commas. */
    String addresses() {
        return servers.stream().map(ServerGroup::address).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        List<EmbeddedRedis> lastFirst = new ArrayList<>(servers);
        Collections.reverse(lastFirst);
        lastFirst.forEach(EmbeddedRedis::close);
    }
}
