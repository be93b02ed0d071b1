package io.keyhold.tests.quorum;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedRedisBuilder;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.tests.Console;
import io.keyhold.tests.FencingCounter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that may have lost grants are quarantined. The tests mostly wait, so several run at a time. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class QuarantineTest {

    private static final String KEY = "invoice:42";

    private static final EmbeddedRedisBuilder DURABLE =
            EmbeddedRedis.builder().option("appendonly", "yes").option("appendfsync", "always");

    @Test
    void newNodesAreQuarantinedForLongestLease() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(3);
                    Keyhold keyhold = unknowing(nodes).build()) {
                assertThatThrownBy(() -> lock(keyhold).acquire())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll(
                                "cannot acquire lock '" + KEY + "': no quorum: ",
                                " quarantined for another 6 s",
                                "admitFreshNodes");
                assertThat(nodes.knowing(KEY))
                        .as("a node that abstains grants nothing")
                        .isEmpty();
                awaitVoters(keyhold, 3);
                takeAndRelease(keyhold);
            }
        });
    }

    @Test
    void admittedNodesVoteAtOnce() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold first = nodes.client().build();
                Keyhold second = unknowing(nodes).build()) {
            takeAndRelease(first);
            await(() -> voters(second) == 3);
            takeAndRelease(second);
        }
    }

    @Test
    void restartedNodeIsQuarantined() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(3);
                    Keyhold holder = unknowing(nodes).build();
                    Keyhold other = unknowing(nodes).build()) {
                nodes.admit();
                // On two of the three: the third is down during the acquire.
                nodes.server(2).kill();
                Lease lease = lock(holder).acquire();
                nodes.server(2).restart();
                nodes.server(1).restart();
                // Now one node has the hold and two do not. With their votes there would be two holders.
                assertThatThrownBy(() -> lock(other).tryAcquire())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll(
                                nodes.address(1) + " quarantined for another ",
                                nodes.address(2) + " quarantined for another ");
                assertThat(voters(other)).isEqualTo(1);
                awaitVoters(other, 3);
                assertThat(lease.isHeld()).as("every lease has ended by then").isFalse();
                assertThat(lock(other).acquire().fencingToken()).isGreaterThan(lease.fencingToken());
            }
        });
    }

    @Test
    void flushedNodeIsQuarantined() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(3);
                    Keyhold keyhold = unknowing(nodes).build()) {
                nodes.admit();
                takeAndRelease(keyhold);
                await(() -> nodes.knowing(FencingCounter.of(KEY)).size() == 3);
                nodes.ask(1, "FLUSHALL");
                assertThat(states(keyhold).get(1).quarantine()).isPresent();
                takeAndRelease(keyhold); // Two are a majority.
                assertThat(nodes.knowing(FencingCounter.of(KEY))).containsExactly(0, 2);
                awaitVoters(keyhold, 3);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"everysec, no", "always, yes"})
    void nodeThatMayHaveLostWritesIsQuarantined(String forced, String notWhileRewriting) throws Exception {
        EmbeddedRedisBuilder kind = EmbeddedRedis.builder()
                .option("appendonly", "yes")
                .option("appendfsync", forced)
                .option("no-appendfsync-on-rewrite", notWhileRewriting);
        try (Nodes nodes = Nodes.start(3, kind);
                Keyhold keyhold = unknowing(nodes).build()) {
            nodes.admit();
            takeAndRelease(keyhold);
            await(() -> nodes.knowing(FencingCounter.of(KEY)).size() == 3);
            nodes.server(1).restart();
            assertThat(states(keyhold).get(1).quarantine()).isPresent();
        }
    }

    /** Redis changes its replication id when its first replica connects, without losing data. */
    @Test
    void nodeThatGetsReplicaKeepsVoting() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                EmbeddedRedis replica = EmbeddedRedis.start();
                Console console = new Console(replica.uri());
                Keyhold keyhold = unknowing(nodes).build()) {
            nodes.admit();
            String before = identity(nodes, 1);
            console.ask(
                    "REPLICAOF",
                    nodes.server(1).host(),
                    Integer.toString(nodes.server(1).port()));
            await(() -> !identity(nodes, 1).equals(before));
            assertThat(voters(keyhold)).isEqualTo(3);
            takeAndRelease(keyhold);
            await(() -> nodes.ask(1, "GET", "keyhold:kh:incarnation").startsWith(identity(nodes, 1)));
        }
    }

    /** Its own writes are durable, but the last writes of its master may not have reached it. */
    @Test
    void promotedReplicaIsQuarantined() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(3, DURABLE);
                    Keyhold keyhold = unknowing(nodes).build()) {
                nodes.admit();
                nodes.ask(
                        1,
                        "REPLICAOF",
                        nodes.server(0).host(),
                        Integer.toString(nodes.server(0).port()));
                await(() -> nodes.ask(1, "INFO", "replication").contains("master_link_status:up"));
                nodes.ask(1, "REPLICAOF", "NO", "ONE");
                assertThat(states(keyhold).get(1).quarantine()).isPresent();
                takeAndRelease(keyhold); // Two are a majority.
                awaitVoters(keyhold, 3);
            }
        });
    }

    /** A tool that only inspects may be configured for shorter leases than the holders. */
    @Test
    void firstClientDoesNotSetQuarantineLength() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold looking = unknowing(nodes).build();
                Keyhold keyhold = nodes.client(
                                options -> options.admitFreshNodes(false).longestLease(Duration.ofHours(1)))
                        .build()) {
            assertThat(voters(looking)).isZero();
            awaitVoters(looking, 3);
            assertThatThrownBy(() -> keyhold.lock(KEY).acquire())
                    .hasMessageContainingAll("no quorum", "quarantined for another ");
            awaitVoters(looking, 0); // Now that the nodes know of the longer leases.
        }
    }

    private static String identity(Nodes nodes, int index) {
        return nodes.ask(index, "INFO", "replication")
                .lines()
                .filter(line -> line.startsWith("master_replid:"))
                .map(line -> line.substring("master_replid:".length()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void durableNodeVotesAtOnceAfterRestart() throws Exception {
        try (Nodes nodes = Nodes.start(3, DURABLE);
                // So long that a test that waits for it fails.
                Keyhold keyhold = nodes.client(options -> options.longestLease(Duration.ofHours(1)))
                        .build();
                Keyhold other = nodes.client(options -> options.longestLease(Duration.ofHours(1)))
                        .build()) {
            Lease lease = keyhold.lock(KEY).acquire();
            await(() -> voters(keyhold) == 3);
            await(() -> nodes.knowing(KEY).size() == 3);
            for (int i = 0; i < 3; i++) {
                nodes.server(i).restart();
            }
            assertThat(other.lock(KEY).tryAcquire()).isEmpty();
            assertThat(voters(other)).isEqualTo(3);
            assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
            assertThat(lease.release()).isTrue();
            assertThat(other.lock(KEY).acquire().fencingToken()).isGreaterThan(lease.fencingToken());
        }
    }

    private static KeyholdBuilder unknowing(Nodes nodes) {
        return nodes.client(options -> options.admitFreshNodes(false).longestLease(Nodes.SOON_OVER));
    }

    /** Does not check the release: on a busy machine a short lease may end before. */
    private static void takeAndRelease(Keyhold keyhold) throws InterruptedException {
        lock(keyhold).acquire().release();
    }

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(KEY, LockOptions.builder().lease(Nodes.SOON_OVER).build());
    }

    private static List<QuorumNode> states(Keyhold keyhold) {
        return keyhold.inspect().quorum().orElseThrow().nodes();
    }

    private static long voters(Keyhold keyhold) {
        return states(keyhold).stream().filter(QuorumNode::canVote).count();
    }

    private static void awaitVoters(Keyhold keyhold, int count) throws InterruptedException {
        await(() -> voters(keyhold) == count);
    }
}
