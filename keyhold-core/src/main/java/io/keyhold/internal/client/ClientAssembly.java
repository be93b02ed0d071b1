package io.keyhold.internal.client;

import io.keyhold.CommandStyle;
import io.keyhold.Durability;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdListener;
import io.keyhold.LockOptions;
import io.keyhold.internal.Formats;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.lock.NamedOptions;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.store.cluster.ClusterStore;
import io.keyhold.internal.store.memory.MemoryStore;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.internal.store.quorum.QuorumStore;
import io.keyhold.internal.store.redis.DurableSetup;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.internal.store.redis.TransactionStore;
import io.keyhold.internal.time.CallbackThreads;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.internal.time.ThreadScheduler;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts the parts of a client together.
 *
 * @param clientName the name that the builder was given, if it was
 */
public record ClientAssembly(
        String keyPrefix,
        LockOptions defaults,
        NamedOptions named,
        Durability durability,
        KeyholdClock clock,
        @Nullable Executor callbackExecutor,
        @Nullable String clientName,
        List<KeyholdListener> listeners) {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final String DEFAULT_CLIENT_NAME = "keyhold";
    private static final int SMALLEST_USEFUL_QUORUM = 3;

    /** Copies the listeners: the builder may be used again. */
    public ClientAssembly {
        listeners = List.copyOf(listeners);
    }

    /** Builds a client of the server at this URI, with a driver from the class path. */
    public Keyhold onRedis(RedisUri uri, CommandStyle commands) {
        String name = name(uri);
        checkTimeouts(uri);
        if (uri.topology() == RedisUri.Topology.CLUSTER) {
            checkCluster(commands);
            return onCluster(name, DriverLookup.openCluster(uri.withClientName(name)));
        }
        return onRedis(name, DriverLookup.open(uri.withClientName(name)), commands);
    }

    /** Builds a client of the server behind this driver. */
    public Keyhold onRedis(RedisDriver driver, CommandStyle commands) {
        return onRedis(name(), driver, commands);
    }

    private Keyhold onRedis(String name, RedisDriver driver, CommandStyle commands) {
        return client(name, scheduler -> switch (commands) {
            case SCRIPTS -> new ScriptStore(driver, clientId(), durableSetup(scheduler));
            case TRANSACTIONS -> new TransactionStore(driver);
        });
    }

    /** A call that waits for replicas longer than for its reply would fail with an unknown outcome each time. */
    private void checkTimeouts(RedisUri uri) {
        if (durability.replicas() > 0 && durability.acknowledgeTimeout().compareTo(uri.commandTimeout()) >= 0) {
            throw new IllegalArgumentException(
                    "acknowledgeTimeout of the durability must be shorter than commandTimeout ("
                            + Formats.duration(uri.commandTimeout()) + "), was "
                            + Formats.duration(durability.acknowledgeTimeout()));
        }
    }

    /** Builds a client of a cluster. */
    public Keyhold onCluster(RedisCluster cluster, CommandStyle commands) {
        checkCluster(commands);
        return onCluster(name(), cluster);
    }

    private static void checkCluster(CommandStyle commands) {
        if (commands != CommandStyle.SCRIPTS) {
            throw new IllegalArgumentException(
                    "a Redis Cluster must be used with CommandStyle.SCRIPTS, was " + commands);
        }
    }

    private Keyhold onCluster(String name, RedisCluster cluster) {
        return client(name, scheduler -> new ClusterStore(cluster, clientId(), durableSetup(scheduler)));
    }

    private DurableSetup durableSetup(Scheduler scheduler) {
        return new DurableSetup(durability, clock, scheduler);
    }

    /** Builds a client of a space inside this JVM. */
    public Keyhold inMemory(MemoryStore store) {
        return client(name(), scheduler -> store);
    }

    /** Builds a client of the servers at these URIs. It has the URIs' client name if they agree on one. */
    public Keyhold onQuorumOfUris(List<RedisUri> uris, QuorumSettings settings) {
        List<String> names = uris.stream().map(this::name).distinct().toList();
        List<RedisDriver> drivers = DriverLookup.openAll(
                uris.stream().map(uri -> uri.withClientName(name(uri))).toList());
        return onServers(names.size() == 1 ? names.get(0) : name(), drivers, settings);
    }

    /** Builds a client of the servers behind these drivers. */
    public Keyhold onQuorumOfDrivers(List<RedisDriver> drivers, QuorumSettings settings) {
        return onServers(name(), drivers, settings);
    }

    /** Builds a client of the stores of these clients, which still close them. */
    public Keyhold onQuorumOfClients(List<Keyhold> clients, QuorumSettings settings) {
        List<VotingNode> nodes = new ArrayList<>();
        for (Keyhold client : clients) {
            LockStore store = client instanceof Client known ? known.store() : null;
            if (!(store instanceof VotingNode node)) {
                throw new IllegalArgumentException(
                        "a node of a quorum must be a client of one server with scripts, or in memory, was " + client);
            }
            if (store instanceof ScriptStore server) {
                QuorumPlace.requireOneServer(server.driver());
            }
            nodes.add(node);
        }
        checkDifferent(nodes);
        return onQuorum(name(), nodes, List.of(), settings);
    }

    /** Two clients of one server would give it two votes. */
    private static void checkDifferent(List<VotingNode> nodes) {
        List<String> addresses = nodes.stream().map(VotingNode::address).toList();
        if (new HashSet<>(addresses).size() < addresses.size()) {
            throw new IllegalArgumentException("clients of a quorum must be of different servers, were " + addresses);
        }
    }

    private Keyhold onServers(String name, List<RedisDriver> drivers, QuorumSettings settings) {
        List<ScriptStore> stores = drivers.stream()
                .map(driver -> new ScriptStore(driver, clientId()))
                .toList();
        return onQuorum(name, stores, stores, settings);
    }

    private Keyhold onQuorum(
            String name, List<? extends VotingNode> nodes, List<? extends LockStore> owned, QuorumSettings settings) {
        if (nodes.size() < SMALLEST_USEFUL_QUORUM) {
            LOG.log(
                    Level.WARNING,
                    "a quorum of {0} survives the failure of no node; use three or more, or one server without a quorum",
                    nodes.size());
        }
        return client(name, scheduler -> new QuorumStore(nodes, owned, settings, clock, scheduler, new Random()));
    }

    private Keyhold client(String name, Function<Scheduler, LockStore> store) {
        Scheduler timer = new ThreadScheduler("keyhold-timer-" + name);
        Executor callbacks = callbackExecutor != null ? callbackExecutor : new CallbackThreads(name);
        // Random is safe for many threads, and needs no service lookup, which takes 20 ms.
        Engine engine = new Engine(
                store.apply(timer),
                clock,
                timer,
                callbacks,
                new TokenText(name),
                new Random(),
                new Listeners.Setup(keyPrefix, listeners));
        return new Client(engine, keyPrefix, defaults, named);
    }

    private static String clientId() {
        return UUID.randomUUID().toString();
    }

    private String name(RedisUri uri) {
        return Preconditions.clientName(
                clientName != null ? clientName : uri.clientName().orElse(DEFAULT_CLIENT_NAME));
    }

    private String name() {
        return clientName != null ? clientName : DEFAULT_CLIENT_NAME;
    }
}
