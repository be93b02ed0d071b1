package io.keyhold.tests.topology;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreRefusedException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedSentinel;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of a master with two replicas under three sentinels, all real processes. */
@Tag("full")
class SentinelTest {

    private static final String KEY = "invoice:42";

    /** Longer than a failover takes on a busy machine. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static Keyhold client(EmbeddedSentinel sentinel, Setup setup) {
        return client(sentinel.uri(), setup);
    }

    private static Keyhold client(String uri, Setup setup) {
        return Keyhold.builder()
                .uri(withLongTimeouts(uri + "&driver=" + setup.driver()))
                .build();
    }

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(KEY).with(options -> options.lease(LEASE));
    }

    private static String onServer(EmbeddedRedis server) {
        try (Console console = new Console(server.uri())) {
            return console.text("GET", KEY);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void everyKindIsHeldOnTheMaster(Setup setup) throws Exception {
        try (EmbeddedSentinel sentinel = EmbeddedSentinel.start();
                Keyhold keyhold = client(sentinel, setup)) {
            try (Lease lock = keyhold.lock(KEY).acquire();
                    Lease permit = keyhold.semaphore("gpu", 4).acquire();
                    Lease read = keyhold.readWriteLock("catalog").readLock().acquire()) {
                assertThat(onServer(sentinel.master())).startsWith(lock.token() + " ");
                assertThat(keyhold.inspect().list("*"))
                        .extracting(snapshot -> snapshot.key())
                        .containsExactlyInAnyOrder(KEY, "gpu", "catalog");
                assertThat(permit.isHeldOnServer() && read.isHeldOnServer()).isTrue();
            }
            assertThat(keyhold.inspect().lock(KEY).isHeld()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void waiterIsServedAfterTheMasterWasKilled(Setup setup) throws Exception {
        try (EmbeddedSentinel sentinel = EmbeddedSentinel.start();
                Keyhold holder = client(sentinel, setup);
                Keyhold keyhold = client(sentinel, setup)) {
            EmbeddedRedis former = sentinel.master();
            Lease held = lock(holder).acquire();
            CompletableFuture<Lease> waiting = lock(keyhold).acquireAsync();
            try (Console console = new Console(former.uri())) {
                new ServerQueue(console, KEY).await(1);
                assertThat(console.text("WAIT", "2", "60000")).isEqualTo("2");
            }
            former.kill();
            EmbeddedRedis master = sentinel.awaitFailover(former);
            held.releaseAsync();
            Lease lease = waiting.get(2, TimeUnit.MINUTES);
            assertThat(onServer(master)).startsWith(lease.token() + " ");
            assertThat(lease.fencingToken()).isGreaterThan(held.fencingToken());
            assertThat(lease.release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void orderedFailoverMovesTheClient(Setup setup) throws Exception {
        try (EmbeddedSentinel sentinel = EmbeddedSentinel.start();
                Keyhold keyhold = client(sentinel, setup)) {
            Lease before = lock(keyhold).acquire();
            before.release();
            EmbeddedRedis former = sentinel.master();
            EmbeddedRedis master = sentinel.failover();
            awaitReplica(former);
            Lease lease = lock(keyhold).acquire();
            assertThat(onServer(master)).startsWith(lease.token() + " ");
            assertThat(lease.fencingToken()).isGreaterThan(before.fencingToken());
            assertThat(lease.release()).isTrue();
        }
    }

    /** The former master accepts writes until a sentinel has demoted it, which cuts its connections. */
    private static void awaitReplica(EmbeddedRedis former) throws InterruptedException {
        while (!replication(former).contains("role:slave")) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static String replication(EmbeddedRedis server) {
        try (Console console = new Console(server.uri())) {
            return console.text("INFO", "replication");
        } catch (CompletionException cut) {
            return "";
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void serverThatIsNoSentinelIsRefused(Setup setup) {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold =
                        client("redis-sentinel://" + server.host() + ":" + server.port() + "?master=main", setup)) {
            assertThatThrownBy(() -> keyhold.lock(KEY).tryAcquire())
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("no sentinel knows the master 'main'");
        }
    }
}
