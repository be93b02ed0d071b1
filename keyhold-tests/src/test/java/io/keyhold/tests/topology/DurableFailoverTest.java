package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Durability;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedSentinel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Durable locks are held by one client at a time while their master fails over, in every way. */
class DurableFailoverTest {

    private static final String KEY = "invoice:42";
    private static final int CLIENTS = 6;
    private static final Duration LEASE = Duration.ofSeconds(6);
    static final Durability DURABLE =
            Durability.replicas(1).withLongestLease(LEASE).withFreshServerAdmitted();

    @Test
    @Tag("full")
    void noOverlapInTwoFailovers() throws Exception {
        assertNoOverlap(run(DURABLE, 2));
    }

    @Test
    @Tag("nightly")
    void noOverlapInTwentyFailovers() throws Exception {
        assertNoOverlap(run(DURABLE, 20));
    }

    @Test
    @Tag("full")
    void noOverlapInTwoFailoversOfShard() throws Exception {
        assertNoOverlap(runOnCluster(DURABLE, 2));
    }

    @Test
    @Tag("nightly")
    void noOverlapInTwentyFailoversOfShard() throws Exception {
        assertNoOverlap(runOnCluster(DURABLE, 20));
    }

    private static void assertNoOverlap(FailoverRun.Report report) {
        assertThat(report.overlaps()).as(report.toString()).isZero();
        assertThat(report.backwards()).as(report.toString()).isZero();
    }

    static FailoverRun.Report run(Durability durability, int failovers) throws Exception {
        try (EmbeddedSentinel servers = EmbeddedSentinel.start()) {
            return run(FailingServers.of(servers), servers.uri() + "&", durability, failovers);
        }
    }

    static FailoverRun.Report runOnCluster(Durability durability, int failovers) throws Exception {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().replicasPerMaster(2).start()) {
            return run(FailingServers.of(cluster, KEY), cluster.uri() + "?", durability, failovers);
        }
    }

    /** Half of the clients use one driver, half the other. */
    private static FailoverRun.Report run(FailingServers servers, String uri, Durability durability, int failovers)
            throws Exception {
        List<Keyhold> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Keyhold.builder()
                        .uri(uri + "driver=" + (i % 2 == 0 ? "jedis" : "lettuce"))
                        .durability(durability)
                        .defaults(LockOptions.builder().lease(LEASE).renew(true).build())
                        .build());
            }
            return FailoverRun.run(
                    servers, clients.stream().map(DurableFailoverTest::lock).toList(), failovers);
        } finally {
            clients.forEach(Keyhold::close);
        }
    }

    private static FailoverRun.Lock lock(Keyhold keyhold) {
        DistributedLock lock = keyhold.lock(KEY).with(options -> options.maxWait(Duration.ofSeconds(10)));
        return () -> new Held(lock.acquire());
    }

    private record Held(Lease lease) implements FailoverRun.Hold {

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public long fencingToken() {
            return lease.fencingToken();
        }

        @Override
        public void release() {
            try {
                lease.release();
            } catch (KeyholdException away) {
                // It is repeated in the background.
            }
        }
    }

    /** By hand: the number of failovers, and "none" for clients without durability. */
    public static void main(String[] arguments) throws Exception {
        boolean none =
                arguments.length > 1 && arguments[1].toLowerCase(Locale.ROOT).equals("none");
        Durability durability = none ? Durability.none() : DURABLE;
        System.out.println(run(durability, Integer.parseInt(arguments[0])));
    }
}
