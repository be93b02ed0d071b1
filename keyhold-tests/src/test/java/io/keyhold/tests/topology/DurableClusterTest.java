package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Durability;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreRefusedException;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.SlotMove;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClusterClient;

/** Grants that replicas acknowledge, in clusters whose primaries have replicas. The tests mostly wait, so several run at a time. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class DurableClusterTest {

    private static final String KEY = "invoice:42";
    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);
    private static final Duration LONGEST = Duration.ofSeconds(4);

    /** Replicas of a busy machine may take long. */
    private static final Durability PATIENT =
            Durability.replicas(1).withLongestLease(LONGEST).withAcknowledgeTimeout(Duration.ofSeconds(15));

    private static KeyholdBuilder client(Setup setup, EmbeddedCluster cluster, Durability durability) {
        LockOptions defaults = LockOptions.builder()
                .lease(durability.longestLease())
                .renew(true)
                .build();
        return setup.client(cluster.uri()).durability(durability).defaults(defaults);
    }

    private static String on(EmbeddedRedis server, String command, String... arguments) {
        try (Console console = new Console(server.uri())) {
            return console.text(command, arguments);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within " + TIME_LIMIT).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static EmbeddedRedis otherThan(EmbeddedCluster cluster, EmbeddedRedis primary) {
        return cluster.masters().stream()
                .filter(node -> node != primary)
                .findFirst()
                .orElseThrow();
    }

    /** Returns a key that has no lock yet and is on this primary, but in another slot than {@link #KEY}. */
    private static String keyOn(EmbeddedCluster cluster, EmbeddedRedis primary) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "cold:" + i)
                .filter(key -> cluster.masterOf(key) == primary && cluster.slotOf(key) != cluster.slotOf(KEY))
                .findFirst()
                .orElseThrow();
    }

    /** Returns how many slots of a primary may be granted in. */
    private static long armed(EmbeddedRedis primary) {
        String script =
                "local n = 0 for _, k in ipairs(redis.call('KEYS', '*:kh:durable')) do local v = redis.call('GET', k)"
                        + " if v and string.sub(v, 1, 1) ~= '!' then n = n + 1 end end return n";
        return Long.parseLong(on(primary, "EVAL", script, "0"));
    }

    private static void awaitArmed(EmbeddedRedis primary) throws InterruptedException {
        await(() -> armed(primary) >= 16_384 / 3);
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void newClusterIsAdmittedInAllSlotsAtOnce(Setup setup) throws Exception {
        Durability durability = PATIENT.withLongestLease(Duration.ofMinutes(30)).withAdmitFreshNodes(true);
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Keyhold keyhold = client(setup, cluster, durability).build();
                Keyhold other = client(setup, cluster, PATIENT.withLongestLease(durability.longestLease()))
                        .build()) {
            EmbeddedRedis primary = cluster.masterOf(KEY);
            Lease lease = keyhold.lock(KEY).acquire();
            awaitArmed(primary);
            // Would wait for half an hour in a slot without a marker.
            Lease cold = other.lock(keyOn(cluster, primary)).acquire();
            assertThat(lease.isHeldOnServer() && cold.isHeldOnServer()).isTrue();
            for (EmbeddedRedis replica : cluster.replicasOf(primary)) {
                assertThat(on(replica, "DBSIZE")).isEqualTo(on(primary, "DBSIZE"));
            }
            on(primary, "FLUSHALL");
            assertThat(keyhold.lock(KEY).tryAcquire())
                    .as("this client knew the marker")
                    .isEmpty();
            assertThat(keyhold.lock(keyOn(cluster, primary)).tryAcquire())
                    .as("this client has visited all markers")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void promotedReplicaGrantsAfterLastLeaseOfFormerPrimary(Setup setup) throws Exception {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder().replicasPerMaster(2).start();
                Keyhold holder = client(setup, cluster, PATIENT.withAdmitFreshNodes(true))
                        .build();
                Keyhold keyhold = client(setup, cluster, PATIENT).build()) {
            EmbeddedRedis former = cluster.masterOf(KEY);
            EmbeddedRedis unconcerned = otherThan(cluster, former);
            String elsewhere = keyOn(cluster, unconcerned);
            String cold = keyOn(cluster, former);
            holder.lock(elsewhere).acquire().release();
            holder.lock(KEY).acquire().release();
            awaitArmed(former);
            former.kill();
            cluster.awaitReady();
            EmbeddedRedis promoted = cluster.masterOf(KEY);
            assertThat(keyhold.lock(elsewhere).tryAcquire())
                    .as("the other primaries grant all the time")
                    .isPresent();
            long start = System.nanoTime();
            assertThat(keyhold.lock(KEY).tryAcquire()).isEmpty();
            Lease next = keyhold.lock(KEY).acquire();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(LONGEST);
            assertThat(on(promoted, "GET", KEY).startsWith(next.token() + " ") || !next.isHeld())
                    .as("granted by the promoted one, unless a pause was longer than the lease")
                    .isTrue();
            awaitArmed(promoted);
            assertThat(keyhold.lock(cold).tryAcquire())
                    .as("a slot that was not used has been in quarantine with the others")
                    .isPresent();
        }
    }

    /** As if the last writes had not been replicated to the one that is promoted. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void lostGrantOverlapsNoOther(Setup setup) throws Exception {
        Durability durability = PATIENT.withLongestLease(Duration.ofSeconds(15));
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder().replicasPerMaster(2).start();
                Keyhold holder = client(setup, cluster, durability.withAdmitFreshNodes(true))
                        .build();
                Keyhold keyhold = client(setup, cluster, durability).build()) {
            Lease held = holder.lock(KEY)
                    .with(options -> options.lease(durability.longestLease()).renew(false))
                    .acquire();
            cluster.masterOf(KEY).kill();
            cluster.awaitReady();
            on(cluster.masterOf(KEY), "DEL", KEY);
            Lease next = keyhold.lock(KEY).acquire();
            assertThat(held.isHeld()).isFalse();
            assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void tooFewReplicasAreRefusedOnTheirShardOnly(Setup setup) throws Exception {
        Durability impatient = PATIENT.withAcknowledgeTimeout(Duration.ofMillis(200));
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Keyhold admitting = client(setup, cluster, PATIENT.withAdmitFreshNodes(true))
                        .build();
                Keyhold keyhold = client(setup, cluster, impatient).build()) {
            EmbeddedRedis primary = cluster.masterOf(KEY);
            String elsewhere = keyOn(cluster, otherThan(cluster, primary));
            admitting.lock(KEY).acquire().release();
            admitting.lock(elsewhere).acquire().release();
            EmbeddedRedis replica = cluster.replicasOf(primary).get(0);
            replica.pause();
            try {
                assertThatThrownBy(() -> keyhold.lock(KEY).tryAcquire())
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContainingAll(
                                KEY,
                                "0 of 1 replicas of Redis at " + primary.host() + ":" + primary.port(),
                                "repair or add replicas")
                        .hasFieldOrPropertyWithValue("code", "NOREPLICAS");
                assertThat(admitting.lock(elsewhere).tryAcquire()).isPresent();
            } finally {
                replica.resume();
            }
        }
    }

    /** The marker that comes with a slot names another primary. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void movedSlotIsQuarantinedAndItsLeasesGoOn(Setup setup) throws Exception {
        Durability durability = PATIENT.withLongestLease(Duration.ofSeconds(30));
        String free = "{" + KEY + "}:free";
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Keyhold keyhold = client(setup, cluster, durability.withAdmitFreshNodes(true))
                        .build();
                Keyhold other = client(setup, cluster, durability.withAdmitFreshNodes(true))
                        .build()) {
            EmbeddedRedis from = cluster.masterOf(KEY);
            EmbeddedRedis to = otherThan(cluster, from);
            Lease held = keyhold.lock(KEY).acquire();
            Lease elsewhere = keyhold.lock(keyOn(cluster, to)).acquire();
            awaitArmed(from);
            awaitArmed(to);
            SlotMove move = cluster.startMove(cluster.slotOf(KEY), to);
            move.moveKeys();
            assertThatThrownBy(() -> held.extend(Duration.ofSeconds(20)))
                    .as("only the primary of the slot renews, and it has no key")
                    .isInstanceOf(StoreRefusedException.class)
                    .hasFieldOrPropertyWithValue("code", "TRYAGAIN");
            move.finish();
            assertThat(held.extend(Duration.ofSeconds(20))).isTrue();
            assertThat(other.lock(free).tryAcquire()).isEmpty();
            assertThat(other.lock(keyOn(cluster, to)).tryAcquire())
                    .as("slots that have not moved")
                    .isEmpty(); // Held.
            assertThat(elsewhere.release()).isTrue();
            assertThat(other.lock(keyOn(cluster, to)).tryAcquire()).isPresent();
            CompletableFuture<Lease> waiting = other.lock(free).acquireAsync();
            Lease lease = waiting.get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(on(to, "GET", free)).startsWith(lease.token() + " ");
            assertThat(held.isHeld() && held.isHeldOnServer()).isTrue();
            CompletableFuture<Lease> next = other.lock(KEY).acquireAsync();
            assertThat(held.release()).isTrue();
            assertThat(next.get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS).fencingToken())
                    .isGreaterThan(held.fencingToken());
        }
    }

    @Test
    void clusterClientOfApplication() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start()) {
            Durability durability = PATIENT.withLongestLease(Duration.ofSeconds(20));
            try (RedisClusterClient application =
                            PatientJedis.ofCluster(cluster.masters().get(0));
                    Keyhold keyhold = Keyhold.builder()
                            .cluster(JedisDriver.usingCluster(application))
                            .durability(durability.withAdmitFreshNodes(true))
                            .build()) {
                assertThatThrownBy(() -> keyhold.lock(KEY).tryAcquire())
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("lease must be at most longestLease (20 s) with durability by replicas, was 30 s");
                Lease lease = keyhold.lock(KEY)
                        .with(options ->
                                options.lease(durability.longestLease()).renew(true))
                        .acquire();
                assertThat(lease.isHeldOnServer()).isTrue();
                assertThat(lease.release()).isTrue();
            }
        }
    }
}
