package io.keyhold.doctor;

import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the servers of a topology, with what INFO says of them. */
final class TopologyView {

    private final List<TopologyNode> nodes = new ArrayList<>();

    List<TopologyNode> nodes() {
        return nodes;
    }

    void add(TopologyNode node) {
        nodes.add(node);
    }

    /** Adds a server, in this role or in the one that it has. Returns whether it replied. */
    boolean add(Server server, String role) {
        try {
            String version = server.info("valkey_version")
                    .map(valkey -> "Valkey " + valkey)
                    .orElseGet(() -> "Redis " + server.info("redis_version").orElse("?"));
            add(new TopologyNode(server.address(), role, TopologyNode.OK, version));
            return true;
        } catch (RedisErrorException | RedisConnectionException failure) {
            add(new TopologyNode(
                    server.address(), role, TopologyNode.UNREACHABLE, String.valueOf(failure.getMessage())));
            return false;
        }
    }

    /** Adds a master and the replicas that are connected to it. */
    void addWithReplicas(Server server) {
        if (!add(server, "master")) {
            return;
        }
        long replicas = server.infoNumber("connected_slaves");
        for (int i = 0; i < replicas; i++) {
            server.info("slave" + i).ifPresent(line -> replica(fields(line)));
        }
    }

    private void replica(Map<String, String> fields) {
        String state = fields.getOrDefault("state", "");
        add(new TopologyNode(
                fields.getOrDefault("ip", "?") + ":" + fields.getOrDefault("port", "?"),
                "replica",
                TopologyNode.OK,
                state + ", " + fields.getOrDefault("lag", "?") + " s behind"));
    }

    /** Parses {@code ip=…,port=…,state=…,offset=…,lag=…}. */
    private static Map<String, String> fields(String line) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : line.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                fields.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return fields;
    }
}
