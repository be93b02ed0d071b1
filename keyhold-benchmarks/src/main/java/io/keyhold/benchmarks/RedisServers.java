package io.keyhold.benchmarks;

import io.keyhold.embedded.EmbeddedReplicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The servers of a shape: one, or several independent ones. */
public final class RedisServers implements AutoCloseable {
    private final List<RedisServer> servers;

    private final @Nullable EmbeddedReplicas replicas;

    private RedisServers(List<RedisServer> servers) {
        this(servers, null);
    }

    private RedisServers(List<RedisServer> servers, @Nullable EmbeddedReplicas replicas) {
        this.servers = List.copyOf(servers);
        this.replicas = replicas;
    }

    /** Starts a master with two replicas. Only the master counts and is seen. */
    public static RedisServers startReplicated() {
        EmbeddedReplicas replicas = EmbeddedReplicas.start();
        return new RedisServers(
                List.of(RedisServer.open(Optional.of(replicas.master().uri()))), replicas);
    }

    /** Returns this one alone. */
    static RedisServers of(RedisServer server) {
        return new RedisServers(List.of(server));
    }

    /** Starts this many. */
    public static RedisServers start(int count) {
        List<RedisServer> started = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                started.add(RedisServer.open(Optional.empty()));
            }
        } catch (RuntimeException e) {
            started.forEach(RedisServer::close);
            throw e;
        }
        return new RedisServers(started);
    }

    /** Returns how many there are. */
    public int size() {
        return servers.size();
    }

    /** Returns one of them, counted from zero. */
    public RedisServer get(int number) {
        return servers.get(number);
    }

    /** Returns their addresses. */
    public List<String> uris() {
        return servers.stream().map(RedisServer::uri).toList();
    }

    /** Returns how many commands they have run together, without one that is paused: it runs none and does not reply. */
    public long commandsRun() {
        return servers.stream()
                .filter(server -> !server.isPaused())
                .mapToLong(RedisServer::commandsRun)
                .sum();
    }

    /** Removes all keys of the contenders. */
    public void sweep() {
        servers.forEach(RedisServer::sweep);
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
        if (replicas != null) {
            replicas.close();
        }
    }
}
