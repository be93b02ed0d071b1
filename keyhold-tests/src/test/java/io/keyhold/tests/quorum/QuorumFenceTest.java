package io.keyhold.tests.quorum;

import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClock;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Fencing tokens grow over independent nodes, for any clocks of clients and any majority of nodes. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class QuorumFenceTest {

    private static final String KEY = "invoice:42";

    @Test
    void tokensGrowDespiteClockDifferences() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold ahead =
                        nodes.client().clock(shifted(Duration.ofHours(1))).build();
                Keyhold right = nodes.client().build();
                Keyhold behind =
                        nodes.client().clock(shifted(Duration.ofHours(-1))).build()) {
            List<Keyhold> clients = List.of(ahead, right, behind, right, behind, ahead);
            long last = 0;
            for (int i = 0; i < 30; i++) {
                Lease lease = lock(clients.get(i % clients.size())).acquire();
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
                assertThat(lease.release()).isTrue();
            }
            // A client whose clock is ahead proposes a number above all nodes, if it is the first.
            assertThat(rounds(ahead).singleRoundCount()).isPositive();
        }
    }

    /** Each time another majority grants, and no node has seen all tokens. */
    @Test
    void tokensGrowFromMajorityToMajority() throws Exception {
        int size = 5;
        List<Keyhold> nodes = Stream.generate(Keyhold::inMemory).limit(size).toList();
        Random random = new Random(42);
        try (Keyhold right = quorum(nodes, Duration.ZERO);
                Keyhold ahead = quorum(nodes, Duration.ofHours(1));
                Keyhold behind = quorum(nodes, Duration.ofHours(-1))) {
            List<Keyhold> clients = List.of(right, ahead, behind);
            long last = 0;
            for (int i = 0; i < 300; i++) {
                List<Keyhold> shuffled = new ArrayList<>(nodes);
                Collections.shuffle(shuffled, random);
                List<Lease> taken = new ArrayList<>();
                for (Keyhold node : shuffled.subList(0, random.nextInt(3))) {
                    taken.add(node.lock(KEY).acquire());
                }
                Lease lease = clients.get(random.nextInt(3)).lock(KEY).acquire();
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
                assertThat(lease.release()).isTrue();
                taken.forEach(Lease::release);
            }
            QuorumSnapshot rounds = rounds(behind);
            assertThat(rounds.twoRoundCount())
                    .as("nodes that are ahead of it by different amounts")
                    .isPositive();
            assertThat(rounds(ahead).singleRoundCount()).isPositive();
        }
    }

    @Test
    void oneRoundIsEnoughWhenClocksAgree() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold keyhold = nodes.client().build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(keyhold.lock(
                                        KEY + i,
                                        LockOptions.builder()
                                                .lease(Nodes.LONGEST_LEASE)
                                                .build())
                                .acquire()
                                .release())
                        .isTrue();
            }
            assertThat(rounds(keyhold).singleRoundCount()).isEqualTo(20);
            assertThat(rounds(keyhold).twoRoundCount()).isZero();
        }
    }

    /** Every node loses its data once, one after the other, each after its predecessor votes again. */
    @Test
    void tokensGrowAcrossRestartsOfNodes() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold keyhold = nodes.client(
                                options -> options.admitFreshNodes(false).longestLease(Nodes.SOON_OVER))
                        .build()) {
            nodes.admit();
            long last = 0;
            for (int i = 0; i < 3; i++) {
                for (int hold = 0; hold < 5; hold++) {
                    Lease lease = keyhold.lock(
                                    KEY,
                                    LockOptions.builder().lease(Nodes.SOON_OVER).build())
                            .acquire();
                    assertThat(lease.fencingToken()).isGreaterThan(last);
                    last = lease.fencingToken();
                    lease.release();
                }
                nodes.server(i).restart();
                await(() -> keyhold.inspect().quorum().orElseThrow().nodes().stream()
                        .allMatch(QuorumNode::canVote));
            }
        }
    }

    private static Keyhold quorum(List<Keyhold> nodes, Duration shift) {
        return Keyhold.builder()
                .quorumOfClients(nodes, Nodes.PATIENTLY)
                .clock(shifted(shift))
                .build();
    }

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(
                KEY, LockOptions.builder().lease(Nodes.LONGEST_LEASE).build());
    }

    private static QuorumSnapshot rounds(Keyhold keyhold) {
        return keyhold.inspect().quorum().orElseThrow();
    }

    /** A wall clock with this offset that runs at the right rate. */
    private static KeyholdClock shifted(Duration shift) {
        KeyholdClock right = KeyholdClock.system();
        return new KeyholdClock() {
            @Override
            public long monotonicNanos() {
                return right.monotonicNanos();
            }

            @Override
            public long wallMillis() {
                return right.wallMillis() + shift.toMillis();
            }
        };
    }
}
