package io.keyhold.internal.client;

import io.keyhold.Keyhold;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.QuorumNode;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.internal.store.redis.ScriptStore;
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
        return ofOwned(assembly.openAll(uris), assembly.nameOfAll(uris));
    }

    /** On the servers behind these drivers. */
    public Keyhold ofDrivers(List<RedisDriver> drivers) {
        return ofOwned(drivers, assembly.nameOfAll(List.of()));
    }

    private Keyhold ofOwned(List<RedisDriver> drivers, String name) {
        List<ScriptStore> stores = drivers.stream().map(assembly::scriptStore).toList();
        return of(stores, stores, name);
    }

    /** On the stores of these clients, which close them. */
    public Keyhold ofClients(List<Keyhold> clients) {
        List<QuorumNode> nodes = new ArrayList<>();
        for (Keyhold client : clients) {
            LockStore store = client instanceof Client known ? known.store() : null;
            if (!(store instanceof QuorumNode node)) {
                throw new IllegalArgumentException(
                        "a node of a quorum must be a client of one server with scripts, or in memory: " + client);
            }
            nodes.add(node);
        }
        checkDifferent(nodes);
        return of(nodes, List.of(), assembly.nameOfAll(List.of()));
    }

    /** Two clients of one server would give it two votes. */
    private static void checkDifferent(List<QuorumNode> nodes) {
        List<String> addresses = nodes.stream().map(QuorumNode::address).toList();
        if (new HashSet<>(addresses).size() < addresses.size()) {
            throw new IllegalArgumentException("clients of a quorum must be of different servers: " + addresses);
        }
    }

    private Keyhold of(List<? extends QuorumNode> nodes, List<? extends LockStore> owned, String name) {
        if (nodes.size() < WORTH_IT) {
            LOG.log(
                    Level.WARNING,
                    "a quorum of {0} survives the failure of no node; use three or more, or one server without a quorum",
                    nodes.size());
        }
        return assembly.onQuorum(nodes, owned, settings, name);
    }
}
