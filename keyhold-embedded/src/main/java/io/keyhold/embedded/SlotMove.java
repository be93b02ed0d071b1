package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A slot on its way from one master to another: {@link EmbeddedCluster#startMove}. */
public final class SlotMove {
    private static final int KEYS_AT_ONCE = 100;

    private final EmbeddedCluster cluster;
    private final ServerGroup nodes;
    private final String slot;
    private final EmbeddedRedis from;
    private final EmbeddedRedis to;
    private final String target;

    private SlotMove(EmbeddedCluster cluster, ServerGroup nodes, int slot, EmbeddedRedis from, EmbeddedRedis to) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.slot = Integer.toString(slot);
        this.from = from;
        this.to = to;
        this.target = cluster.id(to);
    }

    /** The importing side first: requests that the other one redirects must find it prepared. */
    static SlotMove start(EmbeddedCluster cluster, ServerGroup nodes, int slot, EmbeddedRedis from, EmbeddedRedis to) {
        SlotMove move = new SlotMove(cluster, nodes, slot, from, to);
        nodes.ask(to, "CLUSTER", "SETSLOT", move.slot, "IMPORTING", cluster.id(from));
        nodes.ask(from, "CLUSTER", "SETSLOT", move.slot, "MIGRATING", move.target);
        return move;
    }

    /**
     * Moves the keys that are in the slot now ({@code MIGRATE}).
     *
     * @throws EmbeddedRedisException if a node refuses
     */
    public void moveKeys() {
        try (RespConnection connection = nodes.connect(from)) {
            for (List<String> keys = keys(connection); !keys.isEmpty(); keys = keys(connection)) {
                connection.ask(migrate(keys));
            }
        } catch (IOException e) {
            throw ServerGroup.failed(from, e, "MIGRATE");
        }
    }

    private List<String> keys(RespConnection connection) throws IOException {
        return connection.ask("CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(KEYS_AT_ONCE)).elements().stream()
                .map(RespConnection.Reply::text)
                .toList();
    }

    private String[] migrate(List<String> keys) {
        String timeout = Long.toString(nodes.timeout().toMillis());
        List<String> command =
                new ArrayList<>(List.of("MIGRATE", to.host(), Integer.toString(to.port()), "", "0", timeout));
        String password = nodes.password();
        if (password != null) {
            command.addAll(List.of("AUTH", password));
        }
        command.add("KEYS");
        command.addAll(keys);
        return command.toArray(String[]::new);
    }

    /**
     * Gives the slot to its new master, and returns when all nodes know.
     *
     * @throws EmbeddedRedisException if a node refuses, for example because keys are left
     */
    public void finish() {
        // The new master first, so that at no time both disown the slot.
        nodes.ask(to, "CLUSTER", "SETSLOT", slot, "NODE", target);
        nodes.ask(from, "CLUSTER", "SETSLOT", slot, "NODE", target);
        for (EmbeddedRedis other : cluster.masters()) {
            if (other != from && other != to) {
                nodes.ask(other, "CLUSTER", "SETSLOT", slot, "NODE", target);
            }
        }
        cluster.awaitReady();
    }
}
