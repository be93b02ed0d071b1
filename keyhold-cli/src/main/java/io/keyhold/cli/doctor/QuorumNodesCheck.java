package io.keyhold.cli.doctor;

import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether the nodes of a quorum are different servers, and of a number that pays. */
final class QuorumNodesCheck implements Check {

    private final List<Server> servers;

    QuorumNodesCheck(List<Server> servers) {
        this.servers = servers;
    }

    @Override
    public String name() {
        return "nodes";
    }

    @Override
    public Finding examine() {
        Map<String, TreeSet<String>> byRun = new TreeMap<>();
        for (Server server : servers) {
            identity(server)
                    .ifPresent(run ->
                            byRun.computeIfAbsent(run, none -> new TreeSet<>()).add(server.address()));
        }
        String twice = byRun.values().stream()
                .filter(addresses -> addresses.size() > 1)
                .map(addresses -> String.join(" and ", addresses))
                .collect(Collectors.joining("; "));
        if (!twice.isEmpty()) {
            return Finding.fail(
                    this,
                    "the same data: " + twice,
                    "A server or its replica that is counted twice has two votes: its loss may cost the majority, or a lock.",
                    "Name independent masters, each once.");
        }
        int count = servers.size();
        if (count % 2 == 0) {
            return Finding.warn(
                    this,
                    count + " nodes",
                    "An even number bears the loss of no more nodes than one less, and has one more to lose.",
                    "Use three nodes, or five.");
        }
        return Finding.ok(this, count + " different servers");
    }

    /** A replica has the same as its master. */
    private static Optional<String> identity(Server server) {
        try {
            return server.info("master_replid");
        } catch (RedisErrorException | RedisConnectionException unknown) {
            return Optional.empty();
        }
    }
}
