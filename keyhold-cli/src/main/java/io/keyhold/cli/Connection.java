package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one place where clients are made: where the locks live, as options or environment say. */
final class Connection {

    private static final String VARIABLE = "KEYHOLD_REDIS";

    private final List<RedisUri> servers;
    private final QuorumChoices quorum;
    private final boolean toUsersOwn;

    private Connection(List<RedisUri> servers, QuorumChoices quorum, boolean toUsersOwn) {
        this.servers = servers;
        this.quorum = quorum;
        this.toUsersOwn = toUsersOwn;
    }

    /** To these servers; if there are none to those of the environment, and if it names none to the user's own. */
    static Connection to(List<String> given, QuorumChoices quorum) {
        List<String> named = given.isEmpty() ? fromEnvironment(System.getenv(VARIABLE)) : given;
        List<RedisUri> servers = new ArrayList<>();
        for (String uri : named) {
            servers.add(parsed(uri));
        }
        quorum.check(servers.size());
        boolean noneIsNamed = servers.isEmpty();
        if (noneIsNamed) {
            servers.add(UsersServer.ensureRunning());
        }
        return new Connection(List.copyOf(servers), quorum, noneIsNamed);
    }

    private static List<String> fromEnvironment(@Nullable String value) {
        List<String> uris = new ArrayList<>();
        if (value != null) {
            int from = 0;
            while (from <= value.length()) {
                int comma = value.indexOf(',', from);
                int to = comma < 0 ? value.length() : comma;
                String uri = value.substring(from, to).strip();
                if (!uri.isEmpty()) {
                    uris.add(uri);
                }
                from = to + 1;
            }
        }
        return uris;
    }

    private static RedisUri parsed(String uri) {
        try {
            return RedisUri.parse(uri.strip());
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** The servers: one, or the nodes of a quorum. */
    List<RedisUri> servers() {
        return servers;
    }

    /** Whether the server is the user's own, because no other was named. */
    boolean isToUsersOwn() {
        return toUsersOwn;
    }

    /** A client that operators see under this label. Nothing is connected yet. */
    Keyhold client(String label) {
        KeyholdBuilder builder = Keyhold.builder().clientName(label);
        if (servers.size() > 1) {
            List<RedisDriver> drivers =
                    servers.stream().map(uri -> driver(uri, label)).toList();
            return builder.quorumOfDrivers(drivers, quorum.options()).build();
        }
        // Named, because looking for a driver takes time, and there is one.
        return builder.driver(driver(servers.get(0), label)).build();
    }

    private static RedisDriver driver(RedisUri uri, String label) {
        return JedisDriver.open(uri.withClientName(label));
    }
}
