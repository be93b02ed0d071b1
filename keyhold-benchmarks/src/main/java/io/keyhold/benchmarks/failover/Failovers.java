package io.keyhold.benchmarks.failover;

import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedSentinel;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Runs the same failovers for each contender, on servers of its own. */
public final class Failovers {

    private static final int CLIENTS = 6;

    private Failovers() {}

    /** Runs this many failovers of a master with two replicas and three sentinels for each contender, and prints a table. */
    public static void run(int failovers, PrintStream out) throws InterruptedException {
        out.println(
                "| | failovers | holds | overlapping holds | fencing tokens that went back | without the lock, s |");
        out.println("|---|---|---|---|---|---|");
        for (FailoverContender contender : FailoverContender.values()) {
            FailoverRun.Report report = onSentinel(contender, failovers);
            out.printf(
                    Locale.ROOT,
                    "| %s | %d | %,d | %d | %d | %.0f to %.0f |%n",
                    contender.title(),
                    report.failovers(),
                    report.holds(),
                    report.overlaps(),
                    report.backwards(),
                    Collections.min(report.gapsMillis()) / 1e3,
                    Collections.max(report.gapsMillis()) / 1e3);
        }
    }

    static FailoverRun.Report onSentinel(FailoverContender contender, int failovers) throws InterruptedException {
        try (EmbeddedSentinel servers = EmbeddedSentinel.start()) {
            return run(contender, FailingServers.of(servers), servers.uri(), failovers);
        }
    }

    /** All failovers are those of one shard. */
    static FailoverRun.Report onCluster(FailoverContender contender, int failovers) throws InterruptedException {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().replicasPerMaster(2).start()) {
            return run(contender, FailingServers.of(cluster, FailoverContender.KEY), cluster.uri(), failovers);
        }
    }

    private static FailoverRun.Report run(
            FailoverContender contender, FailingServers servers, String uri, int failovers)
            throws InterruptedException {
        List<FailoverContender.Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(contender.open(uri, i));
            }
            return FailoverRun.run(servers, clients, failovers);
        } finally {
            clients.forEach(FailoverContender.Client::close);
        }
    }
}
