package io.keyhold.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The servers of a shape: one, or several that know nothing of each other. */
public final class RedisServers implements AutoCloseable {
    private final List<RedisServer> servers;

    private RedisServers(List<RedisServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /** This one alone. */
    static RedisServers of(RedisServer server) {
        return new RedisServers(List.of(server));
    }

    /** Starts so many. */
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

    /** How many. */
    public int size() {
        return servers.size();
    }

    /** One of them, from zero on. */
    public RedisServer get(int number) {
        return servers.get(number);
    }

    /** Where they are. */
    public List<String> uris() {
        return servers.stream().map(RedisServer::uri).toList();
    }

    /** How many commands they have run together. One that is stopped runs none, and could not be asked. */
    public long commandsRun() {
        return servers.stream()
                .filter(server -> !server.isStopped())
                .mapToLong(RedisServer::commandsRun)
                .sum();
    }

    /** Removes what the contenders have left behind. */
    public void sweep() {
        servers.forEach(RedisServer::sweep);
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
