package io.keyhold.internal.client;

import io.keyhold.Keyhold;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.quorum.BorrowedNode;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Puts a client of several servers together.
 *
 * @param assembly what it has in common with one of a single server
 * @param settings how the servers are asked
 */
public record QuorumAssembly(ClientAssembly assembly, QuorumSettings settings) {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int WORTH_IT = 3;

    /** On the servers at these URIs. */
    public Keyhold ofUris(List<RedisUri> uris) {
        return of(nodes(assembly.openAll(uris)), assembly.nameOfAll(uris));
    }

    /** On the servers behind these drivers. */
    public Keyhold ofDrivers(List<RedisDriver> drivers) {
        return of(nodes(drivers), assembly.nameOfAll(List.of()));
    }

    private List<NodeStore> nodes(List<RedisDriver> drivers) {
        return drivers.stream()
                .<NodeStore>map(driver -> assembly.scriptStore(driver))
                .toList();
    }

    /** On the stores of these clients, which go on to be theirs. */
    public Keyhold ofClients(List<Keyhold> clients) {
        List<NodeStore> nodes = new ArrayList<>();
        for (Keyhold client : clients) {
            LockStore store = client instanceof Client known ? known.store() : null;
            if (!(store instanceof NodeStore node)) {
                throw new IllegalArgumentException(
                        "a node of a quorum must be a client of one server with scripts, or in memory: " + client);
            }
            nodes.add(new BorrowedNode(node));
        }
        checkDifferent(nodes);
        return of(nodes, assembly.nameOfAll(List.of()));
    }

    /** Two clients of one server would give it two votes. */
    private static void checkDifferent(List<NodeStore> nodes) {
        List<String> addresses = nodes.stream().map(NodeStore::address).toList();
        if (new HashSet<>(addresses).size() < addresses.size()) {
            throw new IllegalArgumentException("clients of a quorum must be of different servers: " + addresses);
        }
    }

    private Keyhold of(List<NodeStore> nodes, String name) {
        if (nodes.size() < WORTH_IT) {
            LOG.log(
                    Level.WARNING,
                    "a quorum of {0} survives the failure of no node; use three or more, or one server without a quorum",
                    nodes.size());
        }
        return assembly.onQuorum(nodes, settings, name);
    }
}
