package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A primary of a cluster is killed, and its replica is promoted. */
@Tag("full")
class ClusterFailoverTest {

    private static final String KEY = "invoice:42";

    /** Longer than a failover takes on a busy machine. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(KEY).with(options -> options.lease(LEASE));
    }

    /** As if the last writes had not been replicated. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void lockThatThePromotedReplicaLacksIsReportedAsLost(Setup setup) throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Keyhold keyhold = setup.client(cluster.uri()).build()) {
            Lease lease = keyhold.lock(KEY)
                    .with(options -> options.lease(Duration.ofSeconds(30)).renew(true))
                    .acquire();
            cluster.masterOf(KEY).kill();
            cluster.awaitReady();
            try (Console console = new Console(cluster.masterOf(KEY).uri())) {
                console.ask("DEL", KEY);
            }
            assertThat(lease.lost().toCompletableFuture().get(1, TimeUnit.MINUTES))
                    .isNotNull();
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void promotedReplicaServesTheWaiter(Setup setup) throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Keyhold holder = setup.client(cluster.uri()).build();
                Keyhold keyhold = setup.client(cluster.uri()).build()) {
            EmbeddedRedis former = cluster.masterOf(KEY);
            Lease held = lock(holder).acquire();
            CompletableFuture<Lease> waiting = lock(keyhold).acquireAsync();
            try (Console console = new Console(former.uri())) {
                new ServerQueue(console, KEY).await(1);
                assertThat(console.text("WAIT", "1", "60000")).isEqualTo("1");
            }
            former.kill();
            cluster.awaitReady();
            EmbeddedRedis replica = cluster.masterOf(KEY);
            assertThat(replica).isNotSameAs(former);
            held.releaseAsync();
            Lease lease = waiting.get(2, TimeUnit.MINUTES);
            assertThat(lease.fencingToken()).isGreaterThan(held.fencingToken());
            try (Console console = new Console(replica.uri())) {
                assertThat(console.text("GET", KEY)).startsWith(lease.token() + " ");
            }
            assertThat(lease.release()).isTrue();
        }
    }
}
