package io.keyhold.doctor;

import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether the nodes of a quorum are different servers, and their number is odd. */
final class QuorumNodesCheck extends Check {

    private final List<Server> servers;

    QuorumNodesCheck(List<Server> servers) {
        super("nodes");
        this.servers = servers;
    }

    @Override
    Finding run() {
        Map<String, TreeSet<String>> byIdentity = new TreeMap<>();
        for (Server server : servers) {
            identity(server)
                    .ifPresent(id -> byIdentity
                            .computeIfAbsent(id, none -> new TreeSet<>())
                            .add(server.address()));
        }
        String twice = byIdentity.values().stream()
                .filter(addresses -> addresses.size() > 1)
                .map(addresses -> String.join(" and ", addresses))
                .collect(Collectors.joining("; "));
        if (!twice.isEmpty()) {
            return fail(
                    "the same server or its replica: " + twice,
                    "Nodes with the same data fail together: the loss of one server may cost the majority, or a lock.",
                    "Name independent masters, each of them once.");
        }
        int count = servers.size();
        if (count % 2 == 0) {
            return warn(
                    count + " nodes",
                    "An even number of nodes tolerates no more failures than one node less.",
                    "Use three or five nodes.");
        }
        return ok(count + " different servers");
    }

    /** Returns the replication id, which a replica shares with its master. */
    private static Optional<String> identity(Server server) {
        try {
            return server.info("master_replid");
        } catch (RedisErrorException | RedisConnectionException unknown) {
            return Optional.empty();
        }
    }
}
