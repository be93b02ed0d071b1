package io.keyhold.benchmarks.failover;

import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedSentinel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;

/** A master with replicas, one of which takes over when the master fails. */
interface FailingServers {

    Duration TIME_LIMIT = Duration.ofMinutes(2);

    /** How many masters a cluster has. */
    int MASTERS = 3;

    EmbeddedRedis master();

    List<EmbeddedRedis> replicas();

    /** Has a replica take over from a master that works, and returns when it has. */
    void failover() throws InterruptedException;

    /** Returns when another one than this is the master. */
    void awaitFailover(EmbeddedRedis former) throws InterruptedException;

    /** Returns when all servers know their roles and have the same data. */
    void awaitReady();

    /** Returns the servers behind sentinels. */
    static FailingServers of(EmbeddedSentinel servers) {
        return new FailingServers() {
            @Override
            public EmbeddedRedis master() {
                return servers.master();
            }

            @Override
            public List<EmbeddedRedis> replicas() {
                return servers.replicas();
            }

            @Override
            public void failover() {
                servers.failover();
            }

            @Override
            public void awaitFailover(EmbeddedRedis former) {
                servers.awaitFailover(former);
            }

            @Override
            public void awaitReady() {
                servers.awaitReady();
            }
        };
    }

    /** Returns the shard of a cluster that has this key. */
    static FailingServers of(EmbeddedCluster cluster, String key) {
        return new FailingServers() {
            @Override
            public EmbeddedRedis master() {
                return cluster.masterOf(key);
            }

            @Override
            public List<EmbeddedRedis> replicas() {
                return cluster.replicasOf(master());
            }

            @Override
            public void failover() throws InterruptedException {
                EmbeddedRedis former = master();
                EmbeddedRedis replica = replicas().get(0);
                try (Jedis jedis = new Jedis(replica.host(), replica.port())) {
                    jedis.clusterFailover();
                }
                awaitFailover(former);
            }

            /** The replicas of a master that is dead say nothing of it; the cluster is in order when another one serves its slots. */
            @Override
            public void awaitFailover(EmbeddedRedis former) throws InterruptedException {
                long end = System.nanoTime() + TIME_LIMIT.toNanos();
                while (masters().contains(former) || masters().size() < MASTERS) {
                    if (System.nanoTime() > end) {
                        throw new AssertionError("no failover within " + TIME_LIMIT);
                    }
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }

            private List<EmbeddedRedis> masters() {
                return cluster.masters();
            }

            @Override
            public void awaitReady() {
                cluster.awaitReady();
            }
        };
    }
}
