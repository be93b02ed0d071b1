package io.keyhold.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Builds a Redis Cluster. A setting that is not given is as {@link EmbeddedCluster#start()} says. */
public final class EmbeddedClusterBuilder extends EmbeddedTopologyBuilder<EmbeddedClusterBuilder> {
    private static final int MAX_MASTERS = 10;
    private static final int MAX_REPLICAS = 3;

    private int masters = 3;
    private int replicasPerMaster = 1;
    private Duration nodeTimeout = Duration.ofSeconds(3);

    EmbeddedClusterBuilder() {}

    @Override
    EmbeddedClusterBuilder self() {
        return this;
    }

    /**
     * Sets the number of masters, which share the slots evenly. With fewer than three, no failover happens by itself.
     *
     * @param masters from 1 to 10; default 3
     */
    public EmbeddedClusterBuilder masters(int masters) {
        this.masters = checkedCount("masters", masters, 1, MAX_MASTERS);
        return this;
    }

    /**
     * Sets the number of replicas of each master.
     *
     * @param replicasPerMaster from 0 to 3; default 1
     */
    public EmbeddedClusterBuilder replicasPerMaster(int replicasPerMaster) {
        this.replicasPerMaster = checkedCount("replicasPerMaster", replicasPerMaster, 0, MAX_REPLICAS);
        return this;
    }

    /**
     * Sets how long a node must be silent before the others consider it down ({@code cluster-node-timeout}). On a busy
     * machine a short time causes failovers of healthy nodes. Default: 3 s.
     *
     * @param nodeTimeout from 1 ms to 1 hour
     */
    public EmbeddedClusterBuilder nodeTimeout(Duration nodeTimeout) {
        checkedMillis("nodeTimeout", nodeTimeout);
        this.nodeTimeout = nodeTimeout;
        return this;
    }

    /**
     * Starts the nodes, makes them a cluster, and returns when every node says that the cluster is ok, all of them agree on
     * the masters of all slots, and every replica has the data of its master.
     *
     * @throws EmbeddedRedisException if a node does not start, or the cluster does not form; no node is left then
     */
    public EmbeddedCluster start() {
        ServerGroup nodes = new ServerGroup(password(), timeout());
        try {
            for (int i = 0; i < masters * (1 + replicasPerMaster); i++) {
                nodes.start(node());
            }
            EmbeddedCluster cluster = new EmbeddedCluster(nodes);
            new ClusterFormation(nodes, masters).form();
            cluster.awaitReady();
            return cluster;
        } catch (RuntimeException e) {
            nodes.close();
            throw e;
        }
    }

    private EmbeddedRedisBuilder node() {
        return dataServer(new EmbeddedRedisBuilder(Ports::chooseFreeWithClusterBus)
                .option("cluster-enabled", "yes")
                .option("cluster-config-file", "nodes.conf")
                .option("cluster-node-timeout", Long.toString(nodeTimeout.toMillis())));
    }

    /** Makes single nodes a cluster. Needs no redis-cli. The first nodes become the masters. */
    private record ClusterFormation(ServerGroup nodes, int masters) {

        void form() {
            List<EmbeddedRedis> all = nodes.all();
            for (int i = 0; i < all.size(); i++) {
                // Different from the start, or the nodes would have to settle it among them.
                nodes.ask(all.get(i), "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            }
            for (int i = 0; i < masters; i++) {
                nodes.ask(all.get(i), slotsOf(i));
            }
            introduce(all);
            nodes.await("acquaintance of the nodes", () -> missingAcquaintance(all));
            for (int i = masters; i < all.size(); i++) {
                String master =
                        nodes.ask(all.get(i % masters), "CLUSTER", "MYID").text();
                nodes.ask(all.get(i), "CLUSTER", "REPLICATE", master);
            }
        }

        /** One by one and not as a range: ADDSLOTSRANGE needs Redis 7.0. */
        private String[] slotsOf(int master) {
            List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            int end = EmbeddedCluster.SLOTS * (master + 1) / masters;
            for (int slot = EmbeddedCluster.SLOTS * master / masters; slot < end; slot++) {
                command.add(Integer.toString(slot));
            }
            return command.toArray(String[]::new);
        }

        /** Each pair, because a node that has to hear of another one by gossip learns of it seconds later. */
        private void introduce(List<EmbeddedRedis> all) {
            for (int i = 1; i < all.size(); i++) {
                for (EmbeddedRedis earlier : all.subList(0, i)) {
                    nodes.ask(all.get(i), "CLUSTER", "MEET", earlier.host(), Integer.toString(earlier.port()));
                }
            }
        }

        private String missingAcquaintance(List<EmbeddedRedis> all) {
            for (EmbeddedRedis node : all) {
                ClusterView view = ClusterView.of(nodes.ask(node, "CLUSTER", "NODES"));
                for (EmbeddedRedis other : all) {
                    if (!view.knows(other)) {
                        return node + " does not know " + other;
                    }
                }
            }
            return "";
        }
    }
}
