package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers that options or the environment name, and clients of them. */
final class Connection {

    private static final String VARIABLE = "KEYHOLD_REDIS";

    private final List<RedisUri> servers;
    private final QuorumFlags quorum;
    private final boolean local;

    private Connection(List<RedisUri> servers, QuorumFlags quorum, boolean local) {
        this.servers = servers;
        this.quorum = quorum;
        this.local = local;
    }

    /** Returns a connection to these servers, else to those of the environment, else to the private Redis server. */
    static Connection to(List<String> given, QuorumFlags quorum) {
        List<String> named = given.isEmpty() ? fromEnvironment(System.getenv(VARIABLE)) : given;
        List<RedisUri> servers = new ArrayList<>();
        for (String uri : named) {
            servers.add(parsed(uri));
        }
        quorum.check(servers.size());
        boolean local = servers.isEmpty();
        if (local) {
            servers.add(LocalRedis.ensureRunning());
        }
        return new Connection(List.copyOf(servers), quorum, local);
    }

    private static List<String> fromEnvironment(@Nullable String value) {
        List<String> uris = new ArrayList<>();
        if (value != null) {
            for (String uri : value.split(",", -1)) {
                if (!uri.isBlank()) {
                    uris.add(uri);
                }
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

    /** Returns the servers: one, or the nodes of a quorum. */
    List<RedisUri> servers() {
        return servers;
    }

    /** Whether this is the private Redis server, because no other was named. */
    boolean isLocal() {
        return local;
    }

    /** Returns a client with this name. It connects on first use. */
    Keyhold client(String label) {
        KeyholdBuilder builder = Keyhold.builder().clientName(label);
        if (servers.size() > 1) {
            List<RedisDriver> drivers =
                    servers.stream().map(uri -> driver(uri, label)).toList();
            return builder.quorumOfDrivers(drivers, quorum.options()).build();
        }
        // The driver is passed explicitly, because a search on the class path takes time.
        return builder.driver(driver(servers.get(0), label)).build();
    }

    private static RedisDriver driver(RedisUri uri, String label) {
        return JedisDriver.open(uri.withClientName(label));
    }
}
