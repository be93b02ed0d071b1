package io.keyhold.embedded;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A Redis Cluster, each node a real redis-server.
 *
 * <pre>{@code
 * try (EmbeddedCluster cluster = EmbeddedCluster.start()) {
 *     connect(cluster.uri());                     // redis-cluster://127.0.0.1:20001,…
 *     cluster.masterOf("invoice:42").kill();
 *     cluster.awaitReady();                       // its replica has taken over
 *     cluster.moveSlot(cluster.slotOf("invoice:42"), cluster.masters().get(0));
 * }
 * }</pre>
 *
 * <p>The nodes are ordinary servers: kill, pause, resume and restart them one by one. A restarted node joins again by
 * itself. All of them end with this JVM. All methods may be called from any thread.
 */
public final class EmbeddedCluster implements AutoCloseable {
    static final int SLOTS = 16_384;

    private final ServerGroup nodes;

    EmbeddedCluster(ServerGroup nodes) {
        this.nodes = nodes;
    }

    /**
     * Starts three masters with one replica each, which consider a node down after 3 s of silence.
     *
     * @throws EmbeddedRedisException if a node does not start, or the cluster does not form
     */
    public static EmbeddedCluster start() {
        return builder().start();
    }

    /** Returns a builder for other numbers, times and options. */
    public static EmbeddedClusterBuilder builder() {
        return new EmbeddedClusterBuilder();
    }

    /** Returns where clients connect to, as {@code redis-cluster://127.0.0.1:PORT,…}: all nodes. Contains no password. */
    public String uri() {
        return "redis-cluster://" + nodes.addresses();
    }

    /** Returns all nodes, also those that do not run, in the order of their start: first those that started as masters. */
    public List<EmbeddedRedis> nodes() {
        return nodes.all();
    }

    /** Returns the nodes that run, are not paused, and say that they are masters with slots. */
    public List<EmbeddedRedis> masters() {
        return nodes.responsive().stream()
                .filter(each -> {
                    ClusterView.Node own = view(each).myself();
                    return own.isMaster() && !own.slots().isEmpty();
                })
                .toList();
    }

    /** Returns the nodes that run, are not paused, and say that they are replicas of this one. */
    public List<EmbeddedRedis> replicasOf(EmbeddedRedis master) {
        String id = id(master);
        return nodes.responsive().stream()
                .filter(each -> view(each).myself().master().equals(id))
                .toList();
    }

    /** Returns the slot of a key. */
    public int slotOf(String key) {
        return Integer.parseInt(nodes.ask(anyNode(), "CLUSTER", "KEYSLOT", key).text());
    }

    /**
     * Returns the master of a key's slot.
     *
     * @throws EmbeddedRedisException as {@link #masterOf(int)}
     */
    public EmbeddedRedis masterOf(String key) {
        return masterOf(slotOf(key));
    }

    /**
     * Returns the master of a slot: the node that runs, is not paused, and says that it serves it. If several do, because a
     * node has not heard of its successor, the successor.
     *
     * @throws IllegalArgumentException if there is no such slot
     * @throws EmbeddedRedisException if no node says so
     */
    public EmbeddedRedis masterOf(int slot) {
        requireSlot(slot);
        return nodes.responsive().stream()
                .map(each -> Map.entry(each, view(each).myself()))
                .filter(each -> each.getValue().isMaster() && each.getValue().serves(slot))
                .max(Comparator.comparingLong(each -> each.getValue().epoch()))
                .map(Map.Entry::getKey)
                .orElseThrow(() -> new EmbeddedRedisException("no node that runs serves slot " + slot));
    }

    /**
     * Moves a slot with its keys to another master, and returns when all nodes know.
     *
     * @throws IllegalArgumentException if there is no such slot, or the node is not a master of this cluster
     * @throws EmbeddedRedisException if a node refuses
     */
    public void moveSlot(int slot, EmbeddedRedis to) {
        if (masterOf(slot) != to) {
            SlotMove move = startMove(slot, to);
            move.moveKeys();
            move.finish();
        }
    }

    /**
     * Starts to move a slot to another master. Until {@link SlotMove#finish()}, the present master redirects requests for
     * keys that it does not have ({@code ASK}).
     *
     * @throws IllegalArgumentException if there is no such slot, or the node is not a master of this cluster, or is the
     *     slot's master already
     * @throws EmbeddedRedisException if a node refuses
     */
    public SlotMove startMove(int slot, EmbeddedRedis to) {
        requireSlot(slot);
        nodes.requireMember(to);
        EmbeddedRedis from = masterOf(slot);
        if (from == to || !view(to).myself().isMaster()) {
            throw new IllegalArgumentException(to + ": must be a master, and another one than that of slot " + slot);
        }
        return SlotMove.start(this, nodes, slot, from, to);
    }

    /**
     * Waits until every node that runs, and is not paused, says that the cluster is ok; until all of them agree on the master of
     * each slot and of each replica; and until every replica has the data of its master. After the end of a master this waits
     * for the failover.
     *
     * @throws EmbeddedRedisException if that does not happen in time; the message says what is missing
     */
    public void awaitReady() {
        nodes.await("agreement of the cluster", this::missing);
    }

    private String missing() {
        List<EmbeddedRedis> running = nodes.responsive();
        EmbeddedRedis first = anyNode();
        List<String> positions = view(first).positions(running);
        for (EmbeddedRedis node : running) {
            Map<String, String> info = nodes.ask(node, "CLUSTER", "INFO").info();
            if (!"ok".equals(info.get("cluster_state")) || !"16384".equals(info.get("cluster_slots_ok"))) {
                return node + " says " + info;
            }
            ClusterView view = view(node);
            if (!running.stream().allMatch(view::knows)) {
                return node + " does not know all nodes: " + view;
            }
            if (!view.positions(running).equals(positions)) {
                return node + " and " + first + " do not agree: " + view.positions(running) + positions;
            }
            String absent = missingServers(view, running);
            if (!absent.isEmpty()) {
                return absent;
            }
            String link = nodes.replication(node).getOrDefault("master_link_status", "up");
            if (!link.equals("up")) {
                return "the link of " + node + " to its master is " + link;
            }
        }
        return "";
    }

    /** A master that was killed keeps its slots in the eyes of the others until they notice. */
    private static String missingServers(ClusterView view, List<EmbeddedRedis> running) {
        return view.nodes().stream()
                .filter(each -> !each.slots().isEmpty())
                .filter(each ->
                        running.stream().noneMatch(server -> each.port().equals(Integer.toString(server.port()))))
                .map(each -> "the master of " + each.slots() + " does not run")
                .findFirst()
                .orElse("");
    }

    ClusterView view(EmbeddedRedis node) {
        return ClusterView.of(nodes.ask(node, "CLUSTER", "NODES"));
    }

    String id(EmbeddedRedis node) {
        nodes.requireMember(node);
        return nodes.ask(node, "CLUSTER", "MYID").text();
    }

    private EmbeddedRedis anyNode() {
        return nodes.responsive().stream()
                .findFirst()
                .orElseThrow(() -> new EmbeddedRedisException("no node of the cluster runs"));
    }

    private static void requireSlot(int slot) {
        if (slot < 0 || slot >= SLOTS) {
            throw new IllegalArgumentException("slot " + slot + ": must be from 0 to " + (SLOTS - 1));
        }
    }

    /** Ends all nodes at once and deletes their directories. */
    @Override
    public void close() {
        nodes.close();
    }

    @Override
    public String toString() {
        return "EmbeddedCluster[" + uri() + "]";
    }
}
