package io.keyhold.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.TestThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keyhold and the npm package redis-exp-lock exclude each other on the same keys, and survive each other's failures. */
@Tag("full")
final class RedisExpLockInteropTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration BRIEF = Duration.ofMillis(300);
    private static final int HOLDS = 1_000;
    private static final int THREADS = 3;
    /** Both poll, so the shares are random; neither may starve, unless its process stalls for that long. */
    private static final int FAIR_SHARE = 10;

    private static final int MOST_ROUNDS = 5;

    private static final Duration AS_OFTEN_AS_THE_OTHER = Duration.ofMillis(5);

    private static EmbeddedRedis server;
    private static Path script = Path.of("");

    private final String key = "interop:" + UUID.randomUUID();
    private Keyhold keyhold;
    private Console redis;
    private NodeWorker node;
    private DistributedLock lock;

    @BeforeAll
    static void prepare() throws IOException, InterruptedException {
        for (String program : List.of("node", "npm")) {
            assumeTrue(
                    NodeInstallation.find(program).isPresent(),
                    program + " is not on the PATH: interoperability with redis-exp-lock is not tested");
        }
        script = new NodeInstallation().ready();
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() throws IOException {
        String uri = server.uri();
        redis = new Console(uri);
        keyhold = Setup.JEDIS_SCRIPTS.client(uri).build();
        lock = keyhold.lock(key);
        node = NodeWorker.start(script, uri);
    }

    @AfterEach
    void close() throws IOException {
        node.close();
        keyhold.close();
        redis.close();
    }

    /** A queue of Keyhold leaves no gap for a client that polls; so both poll where both need a share. */
    @Test
    void pollingClientsShareLock() throws Exception {
        List<Shares> rounds = new ArrayList<>();
        while (rounds.stream().noneMatch(Shares::areFair) && rounds.size() < MOST_ROUNDS) {
            DistributedLock fresh = keyhold.lock(key + ":" + rounds.size());
            rounds.add(contend(fresh.with(options -> options.retryInterval(AS_OFTEN_AS_THE_OTHER))));
        }
        assertThat(rounds).anyMatch(Shares::areFair);
    }

    @Test
    void clientsNeverOverlap() throws Exception {
        contend(lock);
    }

    private record Shares(int byKeyhold, int byNode) {

        boolean areFair() {
            return byKeyhold >= FAIR_SHARE && byNode >= FAIR_SHARE;
        }
    }

    private Shares contend(DistributedLock contended) throws Exception {
        CriticalSection section = new CriticalSection(redis, contended.key());
        List<Future<Integer>> threads = new ArrayList<>();
        ExecutorService executor = TestThreads.executor();
        // All start at the same time.
        try (Lease held = contended.acquire()) {
            node.contend("node", contended.key(), HOLDS);
            assertThat(node.reply("node")).isEqualTo("busy");
            for (int i = 0; i < THREADS; i++) {
                threads.add(executor.submit(() -> contend(contended, section)));
            }
            assertThat(held.isHeldOnServer()).isTrue();
        }
        executor.shutdown();
        int byKeyhold = 0;
        for (Future<Integer> thread : threads) {
            byKeyhold += thread.get(2, TimeUnit.MINUTES);
        }
        String reply = node.reply("node");
        assertThat(reply).startsWith("contended ");
        int byNode = Integer.parseInt(reply.substring("contended ".length()));
        assertThat(section.count()).isEqualTo(HOLDS);
        assertThat(byKeyhold + byNode).isEqualTo(HOLDS);
        return new Shares(byKeyhold, byNode);
    }

    private static int contend(DistributedLock contended, CriticalSection section) throws Exception {
        int holds = 0;
        while (contended.call(() -> section.countUpTo(HOLDS))) {
            holds++;
        }
        return holds;
    }

    @Test
    void keyholdIsExcludedByForeignHolder() throws Exception {
        nodeTakes("held", LONG);

        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire(BRIEF)).isEmpty();
        assertThat(lock.isLocked()).isTrue();
        assertThat(keyhold.inspect().lock(key).holder())
                .hasValueSatisfying(holder -> assertThat(holder.foreign()).isTrue());

        CompletableFuture<Lease> waiting = lock.acquireAsync();
        assertThat(nodeReleases("held")).isEqualTo("released");
        try (Lease lease = waiting.get(30, TimeUnit.SECONDS)) {
            assertThat(lease.isHeldOnServer()).isTrue();
        }
    }

    @Test
    void foreignClientIsExcludedByKeyhold() throws Exception {
        try (Lease lease = lock.acquire()) {
            node.take("once", key, LONG, 0);
            assertThat(node.reply("once")).isEqualTo("busy");
            assertThat(node.reply("once")).isEqualTo("refused");

            node.take("often", key, LONG, 20);
            assertThat(node.reply("often")).isEqualTo("busy");
            assertThat(node.reply("often")).isEqualTo("refused");

            node.take("waiting", key, LONG, NodeWorker.FOR_EVER);
            assertThat(node.reply("waiting")).isEqualTo("busy");
            assertThat(lease.release()).isTrue();
        }
        assertThat(node.reply("waiting")).startsWith("taken ");
        assertThat(lock.tryAcquire()).isEmpty();
    }

    @Test
    void keyholdAcquiresAfterForeignExpiry() throws Exception {
        nodeTakes("dead", BRIEF);

        try (Lease lease = lock.acquire()) {
            assertThat(nodeReleases("dead")).isEqualTo("gone");
            assertThat(lease.isHeldOnServer())
                    .as("after the late release of the other")
                    .isTrue();
        }
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void foreignClientAcquiresAfterKeyholdExpiry() throws Exception {
        Lease lease = lock.with(options -> options.lease(BRIEF)).acquire();
        node.take("next", key, LONG, NodeWorker.FOR_EVER);
        String reply = node.reply("next");
        // On a slow machine the lease may have ended before the first attempt.
        assertThat(reply.equals("busy") ? node.reply("next") : reply).startsWith("taken ");

        assertThat(lease.isHeld()).as("when the other client holds it").isFalse();
        assertThat(lease.release()).isFalse();
        assertThat(lock.release(lease.token()))
                .as("by its token, which asks the server")
                .isFalse();
        assertThat(lock.isLocked()).as("after the late release of Keyhold").isTrue();
        assertThat(nodeReleases("next")).isEqualTo("released");
    }

    private void nodeTakes(String id, Duration lifetime) throws IOException, InterruptedException {
        node.take(id, key, lifetime, 0);
        assertThat(node.reply(id)).isEqualTo("taken 0");
    }

    private String nodeReleases(String id) throws IOException, InterruptedException {
        node.release(id);
        return node.reply(id);
    }
}
