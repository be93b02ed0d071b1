package io.keyhold.tests.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.Lease;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedCluster;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.SlotMove;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.lettuce.LettuceDriver;
import io.keyhold.spi.RedisCluster;
import io.keyhold.tests.Await;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClusterClient;

/** Clients of a cluster of three primaries, whose slots move. */
class ClusterTest {

    private static final Duration LEASE = Duration.ofMinutes(2);
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.builder().replicasPerMaster(0).start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static KeyholdBuilder client(Setup setup) {
        return setup.client(cluster.uri());
    }

    private static List<String> keys(String name) {
        return IntStream.range(0, 12).mapToObj(i -> name + ":" + i).toList();
    }

    /** The client returns connections some seconds after their last use; only polling shows it. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void opensNothingBeforeFirstUseAndKeepsTwoConnectionsToEachPrimary(Setup setup) throws Exception {
        String name = "two-" + setup.driver();
        List<String> keys = keys(name);
        List<Console> primaries = cluster.masters().stream()
                .map(EmbeddedRedis::uri)
                .map(Console::new)
                .toList();
        try (Keyhold holder = client(setup).build();
                Keyhold keyhold =
                        setup.client(cluster.uri(), "clientName=" + name).build()) {
            keyhold.lock(keys.get(0));
            assertThat(primaries).allMatch(primary -> primary.connectionsNamed(name) == 0);

            for (String key : keys) {
                Lease held = holder.lock(key).acquire();
                CompletableFuture<Lease> waiting = keyhold.lock(key).acquireAsync();
                Await.await(() -> holder.inspect().lock(key).waiterCount() == 1);
                held.release();
                waiting.get(1, TimeUnit.MINUTES).release();
            }
            for (Console primary : primaries) {
                Await.await(() -> primary.connectionsNamed(name) == 2);
            }
        } finally {
            primaries.forEach(Console::close);
        }
    }

    private static EmbeddedRedis otherThan(EmbeddedRedis primary) {
        return cluster.masters().stream()
                .filter(node -> node != primary)
                .findFirst()
                .orElseThrow();
    }

    private static DistributedLock lock(Keyhold keyhold, String key) {
        return keyhold.lock(key).with(options -> options.lease(LEASE));
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void everyKindIsHeldOnThePrimaryOfItsKey(Setup setup) throws InterruptedException {
        List<String> keys = keys("kinds-" + setup);
        try (Keyhold keyhold = client(setup).build()) {
            Set<EmbeddedRedis> used = new HashSet<>();
            for (String key : keys) {
                EmbeddedRedis primary = cluster.masterOf(key);
                used.add(primary);
                Lease lease = keyhold.lock(key).acquire();
                try (Console console = new Console(primary.uri())) {
                    assertThat(console.text("GET", key)).startsWith(lease.token() + " ");
                }
            }
            assertThat(used).hasSize(3);
            Lease permit = keyhold.semaphore("gpu-" + setup, 4).acquire();
            Lease read = keyhold.readWriteLock("catalog-" + setup).readLock().acquire();
            assertThat(permit.isHeldOnServer() && read.isHeldOnServer()).isTrue();
            assertThat(keyhold.inspect().list("kinds-" + setup + ":*"))
                    .extracting(snapshot -> snapshot.key())
                    .containsExactlyInAnyOrderElementsOf(keys);
            assertThat(keyhold.inspect().list("*-" + setup)).hasSize(2);
            assertThat(keyhold.inspect().forceRelease(keys.get(0))).isTrue();
            assertThat(keyhold.inspect().lock(keys.get(0)).isHeld()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void releaseHandsOverOnEveryPrimary(Setup setup) throws Exception {
        try (Keyhold holder = client(setup).build();
                Keyhold waiter = client(setup).build()) {
            for (String key : keys("hand-over-" + setup)) {
                Lease held = lock(holder, key).acquire();
                CompletableFuture<Lease> waiting = lock(waiter, key).acquireAsync();
                awaitQueue(key);
                assertThat(held.release()).isTrue();
                Lease lease = waiting.get(1, TimeUnit.MINUTES);
                assertThat(lease.fencingToken()).isGreaterThan(held.fencingToken());
                assertThat(lease.release()).isTrue();
            }
        }
    }

    private static void awaitQueue(String key) throws InterruptedException {
        try (Console console = new Console(cluster.masterOf(key).uri())) {
            new ServerQueue(console, key).await(1);
        }
    }

    /** The call is repeated where its failure arrives. With Lettuce that is the thread that reads the replies of all nodes. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void callWhoseConnectionBreaksIsRepeated(Setup setup) throws Exception {
        String key = "cut-" + setup;
        try (Keyhold keyhold = client(setup).build();
                Console console = new Console(cluster.masterOf(key).uri())) {
            Lease lease = lock(keyhold, key).acquire();
            TimeUnit.MILLISECONDS.sleep(200); // A map of the cluster that is this old is asked for again.
            console.text("CLIENT", "PAUSE", "60000", "WRITE");
            CompletableFuture<Boolean> extended = CompletableFuture.supplyAsync(() -> lease.extend(LEASE));
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (!console.text("CLIENT", "LIST").matches("(?s).* flags=b .* cmd=evalsha .*")) {
                assertThat(System.nanoTime()).as("the call waits").isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            console.text("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            console.text("CLIENT", "UNPAUSE");
            assertThat(extended.get(1, TimeUnit.MINUTES)).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void leaseAndWaiterMoveWithTheirSlot(Setup setup) throws Exception {
        String key = "moved-" + setup;
        try (Keyhold holder = client(setup).build();
                Keyhold waiter = client(setup).build()) {
            Lease held = lock(holder, key).acquire();
            CompletableFuture<Lease> waiting = lock(waiter, key).acquireAsync();
            awaitQueue(key);
            cluster.moveSlot(cluster.slotOf(key), otherThan(cluster.masterOf(key)));
            assertThat(held.extend(LEASE)).isTrue();
            assertThat(held.release()).isTrue();
            Lease lease = waiting.get(1, TimeUnit.MINUTES);
            assertThat(lease.fencingToken()).isGreaterThan(held.fencingToken());
            assertThat(lease.release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void leaseIsRenewedWhileItsSlotIsBeingMoved(Setup setup) throws InterruptedException {
        String key = "moving-" + setup;
        String tagged = "{" + key + "}:second";
        try (Keyhold keyhold = client(setup).build()) {
            Lease first = lock(keyhold, key).acquire();
            Lease second = lock(keyhold, tagged).acquire();
            Lease both = keyhold.allOf("{" + key + "}:a", "{" + key + "}:b").acquire();
            Lease permit = keyhold.semaphore("{" + key + "}:gpu", 4).acquire();
            SlotMove move = cluster.startMove(cluster.slotOf(key), otherThan(cluster.masterOf(key)));
            move.moveKeys();
            assertThat(first.extend(LEASE)).isTrue();
            assertThat(second.extend(LEASE)).isTrue();
            assertThat(both.extend(LEASE)).isTrue();
            assertThat(permit.extend(LEASE)).isTrue();
            assertThat(keyhold.inspect().list("*" + key + "*")).hasSizeLessThanOrEqualTo(5);
            move.finish();
            assertThat(keyhold.inspect().list("*" + key + "*")).hasSize(5);
            assertThat(first.release() && second.release() && both.release() && permit.release())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void locksOfSeveralSlotsAtOnceAreRefused(Setup setup) throws InterruptedException {
        try (Keyhold keyhold = client(setup).build()) {
            assertThatThrownBy(() -> keyhold.allOf("a", "b", "{a}:c"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("'a', 'b', '{a}:c'")
                    .hasMessageContaining("common {tag}");
            try (Lease lease = keyhold.allOf("a", "{a}:c").acquire()) {
                assertThat(lease.isHeldOnServer()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void nodeOfClusterAsSingleServerNamesTheCure(Setup setup) {
        EmbeddedRedis node = cluster.masters().get(0);
        String elsewhere = keys("cure").stream()
                .filter(key -> cluster.masterOf(key) != node)
                .findFirst()
                .orElseThrow();
        try (Keyhold keyhold = setup.client(node.uri()).build()) {
            assertThatThrownBy(() -> keyhold.lock(elsewhere).tryAcquire())
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("redis-cluster://");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void serverThatIsNoClusterIsRefused(Setup setup) {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = setup.client("redis-cluster://" + server.host() + ":" + server.port())
                        .build()) {
            assertThatThrownBy(() -> keyhold.lock("a").tryAcquire())
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("not a cluster; use redis://")
                    .hasMessageContaining(Integer.toString(server.port()));
            server.kill();
            assertThatThrownBy(() -> keyhold.lock("a").tryAcquire())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("no node of the cluster can be reached")
                    .hasMessageContaining(Integer.toString(server.port()));
        }
    }

    @Test
    void transactionsAndQuorumsAreRefused() {
        assertThatThrownBy(() -> Setup.JEDIS_TRANSACTIONS.client(cluster.uri()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CommandStyle.SCRIPTS");
        assertThatThrownBy(() -> Keyhold.builder().quorum(cluster.uri()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a node of a quorum must be one server");
    }

    @Test
    void applicationsOwnJedisClient() throws InterruptedException {
        EmbeddedRedis node = cluster.masters().get(0);
        try (RedisClusterClient application = PatientJedis.ofCluster(node)) {
            assertWorks(JedisDriver.usingCluster(application), "own-jedis");
            assertThat(application.set("still-open", "yes")).isEqualTo("OK");
        }
    }

    @Test
    void applicationsOwnLettuceClient() throws InterruptedException {
        EmbeddedRedis node = cluster.masters().get(0);
        RedisURI uri = RedisURI.create(node.host(), node.port());
        io.lettuce.core.cluster.RedisClusterClient application = io.lettuce.core.cluster.RedisClusterClient.create(uri);
        try {
            assertWorks(LettuceDriver.usingCluster(application, uri), "own-lettuce");
            assertThat(application.connect().sync().set("still-open", "yes")).isEqualTo("OK");
        } finally {
            application.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    private static void assertWorks(RedisCluster nodes, String name) throws InterruptedException {
        try (Keyhold keyhold = Keyhold.builder().cluster(nodes).build()) {
            for (String key : keys(name)) {
                Lease lease = keyhold.lock(key).acquire();
                assertThat(lease.isHeldOnServer()).isTrue();
                assertThat(lease.release()).isTrue();
            }
        }
    }
}
