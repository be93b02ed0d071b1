package io.keyhold.tests.quorum;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedRedisBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that stop, die and return while a lock is held. The tests mostly wait, so several run at a time. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class QuorumFaultsTest {

    private static final String KEY = "invoice:42";

    /** Short, so that the tests are: no request waits for a majority longer than a part of it, or than the time-out of a node. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(6);

    /** So long that renewals are in time even if the machine stalls for some seconds. */
    private static final Duration RENEWED = Duration.ofSeconds(12);

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void stoppedNodeDelaysNothing(String driver) throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold keyhold = Keyhold.builder()
                        .quorum(driven(nodes, driver), Nodes.PATIENTLY)
                        .build()) {
            lock(keyhold).acquire().release();
            nodes.server(1).pause();
            // The node stays stopped, and its time-out is longer than the test: nothing waits for it.
            for (int i = 0; i < 20; i++) {
                try (Lease lease = lock(keyhold).acquire()) {
                    assertThat(lease.extend(Nodes.LONGEST_LEASE)).isTrue();
                    assertThat(lease.isHeldOnServer()).isTrue();
                    assertThat(lease.release()).isTrue();
                }
                assertThat(lock(keyhold).tryAcquireAsync().get().orElseThrow().release())
                        .isTrue();
            }
            nodes.server(1).resume();
            await(() -> nodes.knowing(KEY).isEmpty());
        }
    }

    /** The servers are durable, and so vote as soon as they are back. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void waiterSurvivesRestartOfMajority(String driver) throws Exception {
        EmbeddedRedisBuilder durable =
                EmbeddedRedis.builder().option("appendonly", "yes").option("appendfsync", "always");
        try (Nodes nodes = Nodes.start(3, durable);
                Keyhold holder = withLongTimeouts(nodes, driver).build();
                Keyhold keyhold = withLongTimeouts(nodes, driver).build()) {
            Lease held = lock(holder).acquire();
            CompletableFuture<Optional<Lease>> waiting = lock(keyhold).tryAcquireAsync(Duration.ofMinutes(3));
            await(() -> holder.inspect().lock(KEY).waiterCount() > 0);
            nodes.server(0).kill();
            nodes.server(1).kill();
            nodes.server(0).restart();
            nodes.server(1).restart();
            assertThat(waiting).isNotDone();
            held.close();
            assertThat(waiting)
                    .succeedsWithin(Duration.ofMinutes(3))
                    .satisfies(lease -> assertThat(lease).isPresent());
        }
    }

    private static KeyholdBuilder withLongTimeouts(Nodes nodes, String driver) {
        return Keyhold.builder().quorum(driven(nodes, driver), Nodes.PATIENTLY);
    }

    @Test
    void leaseNeedsMajority() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(5);
                    Keyhold keyhold = nodes.hasty().build();
                    Keyhold other = nodes.hasty().build()) {
                CompletableFuture<LeaseLost> heard = new CompletableFuture<>();
                Lease lease = shortly(keyhold)
                        .with(options -> options.lease(RENEWED).renew(true).onLost(heard::complete))
                        .acquire();
                nodes.server(0).kill();
                nodes.server(3).pause();
                // For longer than the lease, according to its expiry on the node.
                String end = nodes.ask(1, "PEXPIRETIME", KEY);
                await(() -> heard.isDone()
                        || Long.parseLong(nodes.ask(1, "PEXPIRETIME", KEY)) > Long.parseLong(end) + RENEWED.toMillis());
                assertThat(heard).isNotDone();
                assertThat(lease.isHeld() && lease.isHeldOnServer()).isTrue();
                assertThat(lock(other).tryAcquire()).isEmpty();

                nodes.server(1).pause();
                LeaseLost loss = heard.get(30, TimeUnit.SECONDS);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
                assertThat(lease.isHeld()).isFalse();
                assertThatThrownBy(() -> shortly(other).tryAcquire())
                        .as("a second acquire while a majority is down")
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll(
                                nodes.address(0) + " failed",
                                nodes.address(1) + " no reply",
                                nodes.address(3) + " no reply");

                nodes.server(1).resume();
                nodes.server(3).resume();
                Lease next = lock(other).tryAcquire(Duration.ofSeconds(30)).orElseThrow();
                assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            }
        });
    }

    @Test
    void flushOfMajorityIsLoss() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(3);
                    Keyhold keyhold = nodes.client().build()) {
                Lease lease = shortly(keyhold)
                        .with(options -> options.lease(RENEWED).renew(true))
                        .acquire();
                nodes.server(0).restart();
                nodes.ask(2, "DEL", KEY);
                LeaseLost loss = lease.lost().toCompletableFuture().get(30, TimeUnit.SECONDS);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.GONE);
                assertThat(lease.release()).isFalse();
            }
        });
    }

    @Test
    void minorityGrantsAreReleased() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(5);
                    Keyhold keyhold = nodes.hasty().build()) {
                lock(keyhold).acquire().release();
                nodes.ask(0, "SET", KEY, "other-client");
                nodes.ask(1, "SET", KEY, "other-client");
                nodes.server(2).pause();
                assertThatThrownBy(() -> keyhold.lock(
                                        KEY,
                                        LockOptions.builder()
                                                .lease(Duration.ofSeconds(20))
                                                .maxWait(Duration.ofMillis(1))
                                                .build())
                                .acquire())
                        .hasMessageContaining(nodes.address(0) + " busy, held by other-client");
                await(() -> free(nodes, 3) && free(nodes, 4));
                nodes.server(2).resume();
                // The vote request that was sent while the node was stopped may still arrive; then so does its release.
                await(() -> free(nodes, 2));
                assertThat(nodes.ask(0, "GET", KEY)).isEqualTo("other-client");
            }
        });
    }

    @Test
    void nodeAwayDuringReleaseIsFreeWithinLease() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold keyhold = nodes.client().build()) {
            Lease lease = lock(keyhold).acquire();
            await(() -> nodes.knowing(KEY).size() == 3);
            nodes.server(1).pause();
            assertThat(lease.release()).isTrue();
            assertThat(free(nodes, 0) && free(nodes, 2)).isTrue();
            nodes.server(1).resume();
            await(() -> free(nodes, 1));
            assertThat(lock(keyhold).acquire().release()).isTrue();
        }
    }

    @Test
    void workResumesWhenMajorityReturns() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(3);
                    Keyhold keyhold = nodes.hasty().build()) {
                Lease first = lock(keyhold).acquire();
                first.release();
                nodes.server(0).pause();
                nodes.server(2).pause();
                assertThatThrownBy(() -> shortly(keyhold).acquire()).isInstanceOf(StoreUnavailableException.class);
                nodes.server(0).resume();
                nodes.server(2).resume();
                Lease next = lock(keyhold).acquire();
                assertThat(next.fencingToken()).isGreaterThan(first.fencingToken());
                assertThat(next.release()).isTrue();
            }
        });
    }

    private static boolean free(Nodes nodes, int index) {
        return nodes.ask(index, "EXISTS", KEY).equals("0");
    }

    private static List<String> driven(Nodes nodes, String driver) {
        return Stream.of(nodes.uris()).map(uri -> uri + "&driver=" + driver).toList();
    }

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(
                KEY, LockOptions.builder().lease(Nodes.LONGEST_LEASE).build());
    }

    /** Nodes are waited for no longer than a part of the lease. */
    private static DistributedLock shortly(Keyhold keyhold) {
        return keyhold.lock(KEY, LockOptions.builder().lease(SHORT_LEASE).build());
    }
}
