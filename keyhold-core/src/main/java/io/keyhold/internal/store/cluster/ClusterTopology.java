package io.keyhold.internal.store.cluster;

import io.keyhold.internal.store.redis.DurableSetup;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCluster;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Knows the primaries of a cluster and which slots they have. The nodes are asked before the first call, and again when a call met
 * what a change of the cluster could explain, once for all calls that need it. A redirection changes the map at once.
 *
 * <p>A node that has no slots any more is closed some seconds later, when the calls that were on their way have come to their end.
 */
final class ClusterTopology {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    /** A map that is not older than this is not asked for again: all calls to a primary that has failed want to. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RedisCluster cluster;
    private final DurableSetup setup;
    private final String clientId;
    /** Run when slots have moved. */
    private volatile Runnable moves = () -> {};

    private volatile @Nullable SlotMap current;
    private final Object mutex = new Object();
    private final Map<RedisAddress, ClusterNode> nodes = new HashMap<>();
    /** Nodes without slots. They are closed at the second occasion. */
    private final Set<ClusterNode> retired = new HashSet<>();

    private final Set<ClusterNode> leaving = new HashSet<>();
    /** The lookup in flight, which all calls share that need the map meanwhile. */
    private @Nullable CompletableFuture<SlotMap> lookup;

    private long refreshedAt;
    private int opened;
    private boolean closed;

    ClusterTopology(RedisCluster cluster, String clientId, DurableSetup setup) {
        this.cluster = cluster;
        this.clientId = clientId;
        this.setup = setup;
    }

    /** Returns the map as far as it is known. */
    Optional<SlotMap> known() {
        return Optional.ofNullable(current);
    }

    private List<Integer> slots(RedisAddress primary) {
        return known().map(map -> map.slots(primary)).orElse(List.of());
    }

    /** Asks the cluster for its map, unless that is fresh. */
    CompletableFuture<SlotMap> refresh() {
        CompletableFuture<SlotMap> mine = new CompletableFuture<>();
        List<ClusterNode> candidates;
        synchronized (mutex) {
            if (closed) {
                return CompletableFuture.failedFuture(DriverFailures.closed(toString()));
            }
            if (lookup != null) {
                return lookup;
            }
            SlotMap known = current;
            if (known != null && setup.clock().monotonicNanos() - refreshedAt < FRESH_NANOS) {
                return CompletableFuture.completedFuture(known);
            }
            try {
                candidates = candidates(known);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(
                        DriverFailures.notConnected("the nodes of the cluster are not known: " + e.getMessage(), e));
            }
            lookup = mine; // Only now: what fails before would leave a lookup that never ends.
        }
        long epoch = known().map(SlotMap::epoch).orElse(0L);
        CompletableFuture<SlotMap> found = Stages.compose(new ClusterLookup(candidates, epoch).result(), this::install);
        found.whenComplete((map, failure) -> {
            synchronized (mutex) {
                lookup = null;
            }
            Stages.forward(found, mine);
        });
        return mine;
    }

    /** Asks without a call that waits for it. */
    void refreshInBackground() {
        refresh().whenComplete((map, failure) -> {
            if (failure != null) {
                LOG.log(Level.DEBUG, "{0}: {1}", this, failure.getMessage());
            }
        });
    }

    /** Those that serve come first, then those of the configuration, then those that seem to have failed. */
    private List<ClusterNode> candidates(@Nullable SlotMap known) {
        List<ClusterNode> primaries = new ArrayList<>(known == null ? List.of() : known.primaries());
        Collections.shuffle(primaries);
        Set<ClusterNode> ordered = new LinkedHashSet<>();
        primaries.stream().filter(node -> !node.isDoubtful()).forEach(ordered::add);
        cluster.nodes().forEach(address -> ordered.add(node(address)));
        ordered.addAll(primaries);
        return List.copyOf(ordered);
    }

    /** Returns the node at this address, and opens it if there is none. Called with the monitor. */
    private ClusterNode node(RedisAddress address) {
        ClusterNode known = nodes.get(address);
        if (known == null || known.driver() instanceof UnopenedDriver) {
            RedisDriver driver = opened(address);
            // One that cannot be opened stays the same: requests keep something for every node that they have met.
            if (known == null || !(driver instanceof UnopenedDriver)) {
                // A name of its own for each: a message must not reach this client by way of another node.
                String id = clientId + ":" + ++opened;
                if (known != null) {
                    known.close();
                }
                known = new ClusterNode(
                        address,
                        driver,
                        this::refreshInBackground,
                        each -> ScriptStore.onPrimary(each, id, () -> slots(address), setup));
                nodes.put(address, known);
            }
        }
        retired.remove(known);
        leaving.remove(known);
        return known;
    }

    private RedisDriver opened(RedisAddress address) {
        try {
            return closed ? new UnopenedDriver(address, DriverFailures.closed(toString())) : cluster.open(address);
        } catch (RuntimeException e) {
            return new UnopenedDriver(address, e);
        }
    }

    private CompletableFuture<SlotMap> install(ClusterReply reply) {
        SlotMap before;
        SlotMap map;
        synchronized (mutex) {
            if (closed) {
                return CompletableFuture.failedFuture(DriverFailures.closed(toString()));
            }
            before = current;
            map = SlotMap.of(reply, this::node);
            current = map;
            refreshedAt = setup.clock().monotonicNanos();
            retireOthers(map);
        }
        map.primaries().forEach(ClusterNode::trust);
        if (before != null && !before.hasSameOwners(map)) {
            LOG.log(Level.INFO, "{0} has changed: {1}", this, map.slotCounts());
            moves.run();
        }
        return CompletableFuture.completedFuture(map);
    }

    private void retireOthers(SlotMap map) {
        Set<ClusterNode> idle = new HashSet<>(nodes.values());
        map.primaries().forEach(idle::remove);
        idle.removeAll(leaving);
        retired.addAll(idle);
    }

    /** Follows a redirection, and has the map asked for: where one slot has moved, others may have. */
    ClusterNode moved(Redirection redirection) {
        ClusterNode owner;
        boolean changed = false;
        synchronized (mutex) {
            owner = node(redirection.to());
            SlotMap known = current;
            if (!closed
                    && known != null
                    && known.owner(redirection.slot()).filter(owner::equals).isEmpty()) {
                current = known.with(redirection.slot(), owner);
                changed = true;
            }
        }
        if (changed) {
            moves.run();
            refreshInBackground();
        }
        return owner;
    }

    /** Returns the node to which a slot is being moved. */
    ClusterNode importing(Redirection redirection) {
        synchronized (mutex) {
            return node(redirection.to());
        }
    }

    void onMoves(Runnable action) {
        moves = action;
    }

    void trim() {
        List<ClusterNode> over;
        List<ClusterNode> used;
        synchronized (mutex) {
            over = List.copyOf(leaving);
            over.forEach(node -> nodes.remove(node.address(), node));
            leaving.clear();
            leaving.addAll(retired);
            retired.clear();
            used = List.copyOf(nodes.values());
        }
        over.forEach(ClusterNode::close);
        used.forEach(node -> node.driver().trim());
    }

    void close() {
        List<ClusterNode> all;
        synchronized (mutex) {
            closed = true;
            all = List.copyOf(nodes.values());
            nodes.clear();
        }
        all.forEach(ClusterNode::close);
        cluster.close();
    }

    @Override
    public String toString() {
        return cluster.nodes().stream().map(RedisAddress::toString).collect(Collectors.joining(",", "cluster ", ""));
    }
}
