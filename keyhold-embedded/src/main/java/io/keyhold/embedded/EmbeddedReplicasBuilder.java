package io.keyhold.embedded;

/** Builds a master with replicas. A setting that is not given is as {@link EmbeddedReplicas#start()} says. */
public final class EmbeddedReplicasBuilder extends EmbeddedTopologyBuilder<EmbeddedReplicasBuilder> {
    private static final int MAX_REPLICAS = 20;

    private int replicas = 2;

    EmbeddedReplicasBuilder() {}

    @Override
    EmbeddedReplicasBuilder self() {
        return this;
    }

    /**
     * Sets the number of replicas.
     *
     * @param replicas from 0 to 20; default 2
     */
    public EmbeddedReplicasBuilder replicas(int replicas) {
        this.replicas = checkedCount("replicas", replicas, 0, MAX_REPLICAS);
        return this;
    }

    /**
     * Starts the servers and returns when each replica has its data and the master counts it as online.
     *
     * @throws EmbeddedRedisException if a server does not start, or replication does not; no server is left then
     */
    public EmbeddedReplicas start() {
        return startReplicated(replicas);
    }
}
