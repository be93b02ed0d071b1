package io.keyhold.embedded;

import java.util.List;

/**
 * A master with replicas, each a real redis-server.
 *
 * <pre>{@code
 * try (EmbeddedReplicas servers = EmbeddedReplicas.start()) {
 *     EmbeddedRedis former = servers.master();
 *     former.kill();
 *     servers.promote(servers.replicas().get(0));
 *     former.restart();                           // a second master, with old data
 * }
 * }</pre>
 *
 * <p>The members are ordinary servers: {@link EmbeddedRedis#kill() kill}, {@link EmbeddedRedis#pause() pause}, {@link
 * EmbeddedRedis#resume() resume} and {@link EmbeddedRedis#restart() restart} them one by one. All of them end with this
 * JVM. All methods may be called from any thread.
 */
public final class EmbeddedReplicas implements AutoCloseable {
    private final ServerGroup servers;

    EmbeddedReplicas(ServerGroup servers) {
        this.servers = servers;
    }

    /**
     * Starts a master and two replicas, each as {@link EmbeddedRedis#start()} does.
     *
     * @throws EmbeddedRedisException if a server does not start, or replication does not
     */
    public static EmbeddedReplicas start() {
        return builder().start();
    }

    /** Returns a builder for other numbers and options. */
    public static EmbeddedReplicasBuilder builder() {
        return new EmbeddedReplicasBuilder();
    }

    /** Returns all members, also those that do not run, in the order of their start. The first one was started as the master. */
    public List<EmbeddedRedis> members() {
        return servers.all();
    }

    /**
     * Asks the members that run, and are not paused, and returns the one that says that it is the master.
     *
     * @throws EmbeddedRedisException if none says so, or several do
     */
    public EmbeddedRedis master() {
        List<EmbeddedRedis> masters =
                servers.responsive().stream().filter(this::isMaster).toList();
        if (masters.size() != 1) {
            throw new EmbeddedRedisException("one member must be the master, but these say so: " + masters);
        }
        return masters.get(0);
    }

    /** Returns the members that run, are not paused, and say that they are replicas. */
    public List<EmbeddedRedis> replicas() {
        return servers.responsive().stream().filter(each -> !isMaster(each)).toList();
    }

    boolean isMaster(EmbeddedRedis member) {
        return "master".equals(servers.replication(member).get("role"));
    }

    /**
     * Makes this member the master and every other member that runs, and is not paused, its replica: a failover by hand.
     * Returns when all of them replicate.
     *
     * @throws IllegalArgumentException if it is not a member
     * @throws EmbeddedRedisException if it does not run, or replication does not start
     */
    public void promote(EmbeddedRedis member) {
        servers.requireMember(member);
        servers.ask(member, "REPLICAOF", "NO", "ONE");
        for (EmbeddedRedis each : servers.responsive()) {
            if (each != member) {
                servers.ask(each, "REPLICAOF", member.host(), Integer.toString(member.port()));
            }
        }
        servers.await("replication from " + member, () -> missingReplication(member));
    }

    /**
     * Waits until one member is the master, and every other that runs and is not paused replicates from it.
     *
     * @throws EmbeddedRedisException if that does not happen in time; the message says what is missing
     */
    public void awaitReady() {
        servers.await("replication", () -> missingReplication(master()));
    }

    /** Both sides are asked: a link that is up for the replica may still be in its initial synchronization for the master. */
    String missingReplication(EmbeddedRedis master) {
        if (!isMaster(master)) {
            return master + " is not the master";
        }
        String seenByMaster = servers.ask(master, "INFO", "replication").text();
        for (EmbeddedRedis replica : servers.responsive()) {
            if (replica == master) {
                continue;
            }
            var link = servers.replication(replica);
            if (!Integer.toString(master.port()).equals(link.get("master_port"))) {
                return replica + " does not replicate from " + master;
            }
            if (!"up".equals(link.get("master_link_status"))) {
                return "the link of " + replica + " to its master is down";
            }
            if (!seenByMaster.contains("port=" + replica.port() + ",state=online,")) {
                return "the master does not count " + replica + " as online";
            }
        }
        return "";
    }

    ServerGroup servers() {
        return servers;
    }

    /** Ends all servers at once and deletes their directories. */
    @Override
    public void close() {
        servers.close();
    }

    @Override
    public String toString() {
        return "EmbeddedReplicas" + members();
    }
}
